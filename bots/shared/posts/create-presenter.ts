import type { Alert } from '../../../src/core/alerts/alert.ts';
import type { AlertStore } from '../../../src/core/alerts/alert-store.ts';
import type { LogHead } from '../../../src/core/alerts/log/log-entry.ts';
import type { LogStore } from '../../../src/core/alerts/log/log-store.ts';
import { isHidden, type StatementStore } from '../../../src/core/alerts/statements/statement-store.ts';
import type { Clock } from '../../../src/core/base/time/clock.ts';
import type { EpochMs } from '../../../src/core/base/time/duration.ts';
import type { Channel, ChatFacts, ChatMessage } from '../../../src/core/chat/chat-message.ts';
import { channelOf } from '../../../src/core/chat/chat-queue.ts';
import type { Screen } from '../screen.ts';
import { alertPost, type PostContext } from './alert-post.ts';
import { digestPost } from './digest-post.ts';
import { note } from './notes.ts';

/** Dependencies of a presenter. */
export interface PresenterDeps {
  readonly alerts: Pick<AlertStore, 'byId'>;
  readonly statements: Pick<StatementStore, 'ofWallet'>;
  readonly log: Pick<LogStore, 'headAt'>;
  /** Minimum age of what a channel shows. */
  readonly channelDelayMs: number;
  /** Where the pages of alerts are; null if a channel shows alerts that have none yet, or none that people can open. */
  readonly siteUrl: string | null;
  /** The page of the bot for people on its platform; null while it is not known. */
  readonly profileUrlOf: (channel: Channel) => string | null;
  readonly clock: Pick<Clock, 'now'>;
}

/** The text of a message now; null when there is nothing to say any more. Throws what the store throws. */
export type Presenter = (message: ChatMessage) => Promise<Screen | null>;

/** Texts of all kinds of messages. A post reads whether its wallet is hidden: without the database no post is made. */
export function createPresenter(deps: PresenterDeps): Presenter {
  const { alerts, log, channelDelayMs, siteUrl, clock } = deps;

  async function found(ids: readonly number[]): Promise<readonly Alert[]> {
    const all = await Promise.all(ids.map((id) => alerts.byId(id)));
    return all.filter((alert) => alert !== null);
  }

  function contextOf(message: ChatMessage): PostContext {
    const channel = channelOf(message) ?? 'telegram';
    const profileUrl = deps.profileUrlOf(channel);
    // The bot asks Telegram for its name at the start, before it can send anything.
    if (channel === 'telegram' && profileUrl === null)
      throw new Error('name of the Telegram bot unavailable');
    return { channel, profileUrl, siteUrl };
  }

  const newestHead = (): Promise<LogHead | null> => log.headAt(clock.now() - channelDelayMs);

  return async (message) => {
    const { kind, facts } = message;
    switch (kind) {
      case 'alert':
        return post(deps, facts, { postedAt: clock.now(), context: contextOf(message) });
      case 'alert_update':
      case 'alert_result':
        return post(deps, facts, { postedAt: null, context: contextOf(message) });
      case 'daily_digest':
        return digestPost(facts, {
          channel: channelOf(message) ?? 'telegram',
          top: await found(facts.topAlertIds),
          unposted: await found(facts.unposted?.alertIds ?? []),
          siteUrl,
          head: await newestHead(),
        });
      default:
        return note(kind, facts, clock.now());
    }
  };
}

/** `postedAt`: null for an edit. */
async function post(
  { alerts, statements }: PresenterDeps,
  { alertId, isUpdated = false }: ChatFacts['alert_result'],
  { postedAt, context }: { readonly postedAt: EpochMs | null; readonly context: PostContext },
): Promise<Screen | null> {
  const alert = await alerts.byId(alertId);
  if (alert === null) return null;
  const isWalletHidden = isHidden(await statements.ofWallet(alert.wallet));
  return alertPost(alert, { postedAt, isUpdated, isWalletHidden }, context);
}
