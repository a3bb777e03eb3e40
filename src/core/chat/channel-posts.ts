import type { Alert } from '../alert.ts';
import type { Clock } from '../clock.ts';
import { HOUR_MS } from '../duration.ts';
import type { Feed } from '../ledger/feed.ts';
import type { ChatStore } from '../ports/chat-store.ts';
import type { Logger } from '../ports/logger.ts';
import type { ResolutionStore } from '../ports/resolution-store.ts';
import { createChannelResults } from './channel-results.ts';
import type { Channel, NewChatMessage } from './chat-message.ts';
import { isTooOld } from './chat-times.ts';
import { alertPostId } from './message-ids.ts';

/** Which alerts go to channels. */
export interface PostRules {
  /** Those that are posted to. */
  readonly channels: readonly Channel[];
  /** From 0 to 100; alerts of this score or above are posted. */
  readonly minScore: number;
  /** How old an alert is before it is posted. */
  readonly delayMs: number;
}

/** What the posts stand on. */
export interface ChannelPostsDeps {
  readonly store: Pick<ChatStore, 'add' | 'cursor' | 'advance' | 'postsOfMarket'>;
  readonly feed: Pick<Feed, 'subscribe' | 'onResolution'>;
  readonly resolutions: Pick<ResolutionStore, 'after' | 'lastSeq'>;
  readonly rules: PostRules;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Messages were added that are due. */
  readonly wake: () => void;
}

/**
 * Puts alerts, and later their outcomes, into the outbox for the channels. Whatever is done twice, by this process or
 * another, adds nothing; whatever was missed is made up for, as long as it is worth posting.
 */
export interface ChannelPosts {
  /** Goes on behind the last alert whose posts are made; the first time behind `position`, the ledger's end now. */
  start(position: number): Promise<void>;
  /** Makes up for outcomes that were missed. Returns how many posts are to be changed. */
  sweepResults(): Promise<number>;
  close(): Promise<void>;
}

/** Listens to nothing before `start`. */
export function createChannelPosts(deps: ChannelPostsDeps): ChannelPosts {
  const { store, feed, resolutions } = deps;
  const results = createChannelResults(deps);
  const stops: (() => void)[] = [];
  let posting: Promise<void> = Promise.resolve();

  return {
    async start(position) {
      const cursor = await store.cursor('channel_posts');
      if (cursor === null) await store.advance('channel_posts', position);
      const seq = await store.cursor('channel_results');
      if (seq === null) await store.advance('channel_results', await resolutions.lastSeq());
      stops.push(
        feed.subscribe(cursor ?? position, (alerts) => {
          posting = post(deps, alerts);
          return posting;
        }),
        feed.onResolution(() => results.wake()),
      );
      results.wake();
    },
    sweepResults: () => results.sweep(),
    async close() {
      for (const stop of stops.splice(0)) stop();
      await Promise.allSettled([posting, results.close()]);
    },
  };
}

async function post(
  { store, rules, clock, wake }: ChannelPostsDeps,
  alerts: readonly Alert[],
): Promise<void> {
  const worth = alerts.filter((alert) => isWorthPosting(alert, rules.minScore));
  const messages = worth.flatMap((alert) => rules.channels.map((channel) => postOf(alert, channel, rules)));
  const added = await store.add(messages.filter((message) => !isTooOld(message, clock.now())));
  if (added.length > 0) wake();
  const last = alerts.at(-1);
  if (last !== undefined) await store.advance('channel_posts', last.id);
}

/** Design: no history, and no trade that was found more than an hour late. */
function isWorthPosting({ isHistory, score, createdAt, tradedAt }: Alert, minScore: number): boolean {
  return !isHistory && score >= minScore && createdAt - tradedAt <= HOUR_MS;
}

/** It counts its age from when it may be shown. */
function postOf(
  { id, marketId, createdAt }: Alert,
  channel: Channel,
  { delayMs }: PostRules,
): NewChatMessage {
  const dueAt = createdAt + delayMs;
  return {
    id: alertPostId(id, channel),
    recipient: `channel:${channel}`,
    kind: 'alert',
    facts: { alertId: id, marketId },
    createdAt: dueAt,
    dueAt,
  };
}
