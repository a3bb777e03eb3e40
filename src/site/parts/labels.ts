import type { Alert } from '../../core/alerts/alert.ts';
import {
  type DescribedAlert,
  describeTrade,
  paidWords,
  resultTone,
  resultWord,
} from '../../core/alerts/describe-alert.ts';
import type { Exit } from '../../core/alerts/exits/exit.ts';
import type { KnownSettlement } from '../../core/alerts/settlement.ts';
import { walletPath } from '../../core/alerts/site-paths.ts';
import {
  capitalised,
  counted,
  cutLine,
  shortWallet,
  utcDay,
  utcMinute,
} from '../../core/base/text/formats.ts';
import type { EpochMs } from '../../core/base/time/duration.ts';
import type { Category } from '../../core/trades/trade.ts';
import { type Html, html } from '../html.ts';

/** Whether the outcome of a bet happened. Without a colour where nothing of it was held. */
export function resultTag(alert: Alert, exit: Exit | null): Html {
  const tone = resultTone(alert, exit) ?? 'muted';
  return html`<strong class="${tone}">${capitalised(resultWord(alert))}</strong>`;
}

const TITLE_LENGTH = 200;
const OUTCOME_LENGTH = 100;
const NOTE_LENGTH = 300;

export function outcomeName(outcome: string): string {
  return cutLine(outcome, OUTCOME_LENGTH) || 'an outcome without a name';
}

export function noteText(reason: string | null): string {
  return cutLine(reason ?? '', NOTE_LENGTH);
}

/** A moment as an age, which a script writes. */
export function timeTag(at: EpochMs): Html {
  return timeElement(at, utcMinute(at), html` data-age`);
}

/** In a list: the date; a script shows the age of the last two days. */
export function rowTime(at: EpochMs): Html {
  return timeElement(at, utcDay(at), html` data-age="recent"`);
}

export function utcTag(at: EpochMs): Html {
  return timeElement(at, utcMinute(at));
}

export function timeElement(at: EpochMs, words: string, age: Html | null = null): Html {
  return html`<time datetime="${new Date(at).toISOString()}"${age}>${words}</time>`;
}

export type HiddenWallets = ReadonlySet<string>;

export function walletLink(wallet: string, hidden: HiddenWallets): Html {
  if (hidden.has(wallet)) return html`a hidden wallet`;
  return html`<a href="${walletPath(wallet)}"><code>${shortWallet(wallet)}</code></a>`;
}

export function walletList(wallets: readonly string[], hidden: HiddenWallets): Html {
  const open = wallets.filter((wallet) => !hidden.has(wallet));
  const left = wallets.length - open.length;
  return html`<ul class="wallets">
    ${open.map((wallet) => html`<li>${walletLink(wallet, hidden)}</li>`)}
    ${left === 0 ? null : html`<li>${counted(left, 'hidden wallet')}</li>`}
  </ul>`;
}

export function titleOf({ eventTitle }: Pick<Alert, 'eventTitle'>): string {
  return cutLine(eventTitle, TITLE_LENGTH) || 'A market without a title';
}

export function tradeOf(alert: DescribedAlert): string {
  return capitalised(describeTrade({ ...alert, outcome: cutLine(alert.outcome, OUTCOME_LENGTH) }));
}

export function categoryWords(category: Category): string {
  return capitalised(category.replaceAll('_', ' '));
}

/** `Yes won`; `Split: Yes 50¢, No 50¢`. */
export function winnerOf(settlement: KnownSettlement): Html {
  const paid = paidWords(settlement, (name) => cutLine(name, OUTCOME_LENGTH));
  if (!settlement.payouts.includes(1)) return html`Split: ${paid}`;
  return html`<strong><bdi>${capitalised(paid)}</bdi></strong> won`;
}
