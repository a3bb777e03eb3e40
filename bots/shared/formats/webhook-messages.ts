import type { Alert } from '../../../src/core/alerts/alert.ts';
import type { AlertStore } from '../../../src/core/alerts/alert-store.ts';
import type { Exit } from '../../../src/core/alerts/exits/exit.ts';
import type { ExitReader } from '../../../src/core/alerts/exits/exit-reader.ts';
import { type HiddenWallets, hiddenAddresses } from '../../../src/core/alerts/hidden-wallets.ts';
import { newestOfThreads } from '../../../src/core/alerts/ledger/thread.ts';
import type { SettledAlerts } from '../../../src/core/alerts/settlements/settlement-reader.ts';
import type { EpochMs } from '../../../src/core/base/time/duration.ts';
import type { WriteMessage } from '../../../src/core/delivery/webhooks/webhook-format.ts';
import { outcomePost } from '../posts/outcome-post.ts';
import { type AlertContext, personalAlert } from '../posts/personal-alert.ts';
import { personalExit } from '../posts/personal-events.ts';
import { plainScreen, type Screen } from '../screen.ts';
import { discordFormat } from './discord.ts';
import { ntfyFormat } from './ntfy.ts';
import { slackFormat } from './slack.ts';

interface WebhookMessagesOptions {
  readonly alerts: Pick<AlertStore, 'byId'>;
  readonly exits: Pick<ExitReader, 'ofList'>;
  readonly hiddenWallets: Pick<HiddenWallets, 'list'>;
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

export const writeTest: WriteMessage = writes(() =>
  plainScreen(
    'test',
    [[{ bold: 'Tipoff is connected.' }], 'Your alerts come here from now on. This is a test message.'],
    [],
  ),
);

function writes(draw: () => Screen): WriteMessage {
  let screen: Screen | undefined;
  return ({ url: given, format }) => {
    screen ??= draw();
    const url = new URL(given);
    if (format === 'slack') return { url: given, body: slackFormat(screen) };
    if (format === 'ntfy') {
      const topic = url.pathname.slice(1);
      url.pathname = '/';
      return { url: url.href, body: ntfyFormat(topic)(screen) };
    }
    // "when `false` a message that is not saved does not return an error" (docs.discord.com/developers/resources/webhook#execute-webhook)
    url.searchParams.set('wait', 'true');
    return { url: url.href, body: discordFormat(screen) };
  };
}
