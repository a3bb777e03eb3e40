import type { MarketResolution, ResolutionStore } from '../alerts/resolution-store.ts';
import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';
import { CHANNELS, type ChatMessage, type NewChatMessage } from './chat-message.ts';
import type { ChatStore } from './chat-store.ts';
import { alertResultId } from './message-ids.ts';

const MARKETS_AT_ONCE = 100;
const POSTS_AT_ONCE = 500;

/** What the outcomes of posts stand on. */
export interface ChannelResultsDeps {
  readonly store: Pick<ChatStore, 'add' | 'cursor' | 'advance' | 'postsOfMarket'>;
  readonly resolutions: Pick<ResolutionStore, 'after'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly wake: () => void;
}

/** Follows the outcomes of markets and has the posts of their alerts changed. */
export interface ChannelResults {
  /** Goes through the outcomes since the last one seen; one walk at a time. Returns how many messages it added. */
  sweep(): Promise<number>;
  /** Sweeps soon; a fault is logged, and made up for by the next sweep. */
  wake(): void;
  /** Resolves when nothing is under way. */
  close(): Promise<void>;
}

/** Has to be woken. */
export function createChannelResults(deps: ChannelResultsDeps): ChannelResults {
  let last: Promise<unknown> = Promise.resolve();
  let isClosed = false;
  let isWaiting = false;

  /** One after the other: what is announced during a walk is found by the next. */
  function sweep(onStart = () => {}): Promise<number> {
    const walk = last.then(() => {
      onStart();
      return isClosed ? 0 : walkOn(deps, () => isClosed);
    });
    last = walk.catch(() => {});
    return walk;
  }

  return {
    sweep: () => sweep(),
    wake() {
      if (isWaiting) return;
      isWaiting = true;
      const onStart = () => {
        isWaiting = false;
      };
      sweep(onStart).catch((error: unknown) => {
        deps.logger.warn({ err: error }, 'outcomes cannot be brought to the channels; the next sweep will');
      });
    },
    async close() {
      isClosed = true;
      await last;
    },
  };
}

async function walkOn(deps: ChannelResultsDeps, isClosed: () => boolean): Promise<number> {
  const { store, resolutions } = deps;
  let seq = (await store.cursor('channel_results')) ?? 0;
  let added = 0;
  while (!isClosed()) {
    const page = await resolutions.after(seq, MARKETS_AT_ONCE);
    for (const resolution of page) added += await addChanges(deps, resolution);
    seq = page.at(-1)?.seq ?? seq;
    if (page.length > 0) await store.advance('channel_results', seq);
    if (page.length < MARKETS_AT_ONCE) break;
  }
  if (added > 0) deps.wake();
  return added;
}

async function addChanges(
  { store, clock }: ChannelResultsDeps,
  { marketId, seq }: MarketResolution,
): Promise<number> {
  let added = 0;
  for (let after: string | undefined; ; ) {
    const query = { marketId, limit: POSTS_AT_ONCE };
    const posts = await store.postsOfMarket(after === undefined ? query : { ...query, after });
    const changes = posts.flatMap((post) => changeOf(post, seq, clock.now()) ?? []);
    added += (await store.add(changes)).length;
    after = posts.at(-1)?.id;
    if (posts.length < POSTS_AT_ONCE) return added;
  }
}

function changeOf(post: ChatMessage, seq: number, now: number): NewChatMessage | null {
  const channel = CHANNELS.find((name) => post.recipient === `channel:${name}`);
  if (post.kind !== 'alert' || channel === undefined) return null;
  const { alertId, threadId } = post.facts;
  return {
    id: alertResultId({ alertId, seq, channel }),
    recipient: post.recipient,
    kind: 'alert_result',
    facts: { alertId, threadId },
    createdAt: now,
    dueAt: now,
  };
}
