import type { Alert } from '../../src/core/alerts/alert.ts';
import type { AlertStore } from '../../src/core/alerts/alert-store.ts';
import type { Exit } from '../../src/core/alerts/exits/exit.ts';
import type { ExitReader } from '../../src/core/alerts/exits/exit-reader.ts';
import { type HiddenWalletStore, hiddenAddresses } from '../../src/core/alerts/hidden-wallets.ts';
import { newestOfThreads } from '../../src/core/alerts/ledger/thread.ts';
import type { SettledAlerts } from '../../src/core/alerts/settlements/settlement-reader.ts';
import type { EpochMs } from '../../src/core/base/time/duration.ts';
import type { WriteMessage } from '../../src/core/delivery/webhooks/webhook-format.ts';
import { outcomePost } from '../shared/posts/outcome-post.ts';
import { type AlertContext, personalAlert } from '../shared/posts/personal-alert.ts';
import { personalExit } from '../shared/posts/personal-events.ts';
import type { Screen } from '../shared/screen.ts';
import { sendRequest, TEST } from './destination-requests.ts';

interface WebhookMessagesOptions {
  readonly alerts: Pick<AlertStore, 'byId'>;
  readonly exits: Pick<ExitReader, 'ofList'>;
  readonly hiddenWallets: Pick<HiddenWalletStore, 'list'>;
  /** Where the pages of alerts are; null where people cannot open them. */
  readonly pagesUrl: string | null;
  readonly freeDelayMs: number;
}

/**
 * What webhooks of Discord, Slack and ntfy are sent: the texts of messages to people. They depend on the event, on which
 * wallets are hidden and which alerts withdrawn, not on the moment, so that a repeated delivery has the same body.
 */
export class WebhookMessages {
  readonly #options: WebhookMessagesOptions;

  constructor(options: WebhookMessagesOptions) {
    this.#options = options;
  }

  readonly ofAlert = async (alert: Alert): Promise<WriteMessage> => {
    const context = await this.#contextOf(alert, alert.createdAt);
    return writes(() =>
      personalAlert(alert, { ...context, isBrief: false, isMarked: false, follows: [], priceNow: null }),
    );
  };

  readonly ofOutcome = async (settled: SettledAlerts): Promise<WriteMessage | null> => {
    const [first] = settled.alerts;
    if (first === undefined) return null;
    const { at } = settled.settlement;
    const alerts = newestOfThreads(settled.alerts);
    const exitOf = await this.#options.exits.ofList(alerts, at);
    const context = { exitOf, siteUrl: this.#siteUrlFor(first, at) };
    return writes(() => outcomePost(first, { ...settled, alerts }, context));
  };

  readonly ofExit = async (exit: Exit): Promise<WriteMessage | null> => {
    const alert = await this.#options.alerts.byId(exit.alertIds.at(-1) ?? exit.threadId);
    if (alert === null) return null;
    const context = await this.#contextOf(alert, exit.createdAt);
    return writes(() => ({ ...personalExit(alert, exit, context), isSilent: true }));
  };

  async #contextOf(alert: Alert, at: EpochMs): Promise<AlertContext> {
    const isWalletHidden = (await hiddenAddresses(this.#options.hiddenWallets)).has(alert.wallet);
    return { isWalletHidden, siteUrl: this.#siteUrlFor(alert, at) };
  }

  /** Null where the page of an alert was not there yet when the event was published. */
  #siteUrlFor({ createdAt }: Alert, at: EpochMs): string | null {
    return at - createdAt >= this.#options.freeDelayMs ? this.#options.pagesUrl : null;
  }
}

export const writeTest: WriteMessage = writes(() => TEST);

function writes(draw: () => Screen): WriteMessage {
  let screen: Screen | undefined;
  return ({ url, format: kind }) => {
    screen ??= draw();
    const { request } = sendRequest({ kind, url }, [screen]);
    return { url: request.url, body: request.body };
  };
}
