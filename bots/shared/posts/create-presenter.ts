import type { Alert } from '../../../src/core/alerts/alert.ts';
import type { AlertStore } from '../../../src/core/alerts/alert-store.ts';
import type { ChatFacts, ChatMessage } from '../../../src/core/chat/chat-message.ts';
import type { Clock } from '../../../src/core/clock.ts';
import type { LogHead } from '../../../src/core/log/log-entry.ts';
import type { LogStore } from '../../../src/core/log/log-store.ts';
import { isHidden } from '../../../src/core/statements/hidden-wallet.ts';
import type { StatementStore } from '../../../src/core/statements/statement-store.ts';
import type { EpochMs } from '../../../src/core/trade.ts';
import type { Screen } from '../screen.ts';
import { moreAlerts } from './alert-list.ts';
import { alertPost } from './alert-post.ts';
import { digestPost } from './digest-post.ts';
import { note } from './notes.ts';

/** Dependencies of a presenter. */
export interface PresenterDeps {
  readonly alerts: Pick<AlertStore, 'byId'>;
  readonly statements: Pick<StatementStore, 'ofWallet'>;
  readonly log: Pick<LogStore, 'headAt'>;
  /** Minimum age of what a channel shows. */
  readonly channelDelayMs: number;
  readonly clock: Pick<Clock, 'now'>;
}

/** The text of a message now; null when there is nothing to say any more. Throws what the store throws. */
export type Presenter = (message: ChatMessage) => Promise<Screen | null>;

/** Texts of all kinds of messages. A post reads whether its wallet is hidden: without the database no post is made. */
export function createPresenter(deps: PresenterDeps): Presenter {
  const { alerts, log, channelDelayMs, clock } = deps;

  async function found(ids: readonly number[]): Promise<readonly Alert[]> {
    const all = await Promise.all(ids.map((id) => alerts.byId(id)));
    return all.filter((alert) => alert !== null);
  }

  const newestHead = (): Promise<LogHead | null> => log.headAt(clock.now() - channelDelayMs);

  return async ({ kind, facts }) => {
    switch (kind) {
      case 'alert':
        return post(deps, facts, clock.now());
      case 'alert_update':
      case 'alert_result':
        return post(deps, facts, null);
      case 'more_alerts':
        return moreAlerts(facts.hourStart, await found(facts.alertIds), await newestHead());
      case 'daily_digest':
        return digestPost(facts, { top: await found(facts.topAlertIds), head: await newestHead() });
      default:
        return note(kind, facts, clock.now());
    }
  };
}

/** `postedAt`: null for an edit. */
async function post(
  { alerts, statements }: PresenterDeps,
  { alertId, isUpdated = false }: ChatFacts['alert_result'],
  postedAt: EpochMs | null,
): Promise<Screen | null> {
  const alert = await alerts.byId(alertId);
  if (alert === null) return null;
  const isWalletHidden = isHidden(await statements.ofWallet(alert.wallet));
  return alertPost(alert, { postedAt, isUpdated, isWalletHidden });
}
