import type { Alert } from '../../../src/core/alerts/alert.ts';
import { describeStake, resultSign } from '../../../src/core/alerts/describe-alert.ts';
import { alertPath } from '../../../src/core/alerts/site-paths.ts';
import { capitalised, cents, cutLine, daysOld, shortWallet } from '../../../src/core/base/text/formats.ts';
import type { ScorePart } from '../../../src/core/detection/candidate.ts';
import { type LinkedMarket, marketAddress, walletAddress } from '../../../src/core/trades/other-sites.ts';
import { type Button, type Paragraph, plainScreen, type Screen, type TextSpan } from '../screen.ts';

/**
 * A phone shows about 100 characters of a message: the first line with the longest outcome has at most 98, so that the market
 * begins among them.
 */
export const OUTCOME_LENGTH = 24;
export const TITLE_LENGTH = 120;
const FOLLOW_LENGTH = 40;
const FOLLOWS_SHOWN = 3;

/** Stated elsewhere in the text: what it wins in the first line, the age next to the wallet. */
const SAID_ELSEWHERE: ReadonlySet<ScorePart['factor']> = new Set(['to_win', 'wallet_age']);

export interface AlertContext {
  readonly isWalletHidden: boolean;
  /** Where the alert's page is, without a slash at its end; null while not everybody can open it. */
  readonly siteUrl: string | null;
}

interface PersonalAlertState extends AlertContext {
  /** One line only: the person was told about the same wallet or market in the previous day. */
  readonly isBrief: boolean;
  /** Names of the person's follows that matched. */
  readonly follows: readonly string[];
  /** Whether the sign of its result comes before the text, which is otherwise unchanged but for the price now. */
  readonly isMarked: boolean;
  /** The last price of the outcome, USDC a share; null while none is known, and once there is a result. */
  readonly priceNow: number | null;
}

/** An alert for one person: strength, trade and market first, as that is what a notification shows. */
export function personalAlert(alert: Alert, state: PersonalAlertState): Screen {
  const text = state.isBrief ? briefText(alert, state) : fullText(alert, state);
  const sign = state.isMarked ? resultSign(alert) : null;
  const mark = sign === null ? [] : [`${sign} `];
  return plainScreen('personal_alert', [[...mark, ...text]], alertButtons(alert, state));
}

function fullText(alert: Alert, state: PersonalAlertState): Paragraph {
  const lines: readonly (readonly TextSpan[])[] = [
    marketLine(alert, state),
    whyLine(alert),
    walletLine(alert, state),
    followLine(state.follows),
  ];
  return [{ bold: strengthLine(alert) }, ...lines.filter(({ length }) => length > 0).flatMap(ownLine)];
}

function briefText(alert: Alert, state: PersonalAlertState): Paragraph {
  return [{ bold: strengthLine(alert) }, ' · ', ...marketLine(alert, state)];
}

function marketLine(alert: Alert, { priceNow }: PersonalAlertState): Paragraph {
  return [marketSpan(alert), ...(priceNow === null ? [] : [` · now ${cents(priceNow)}`])];
}

function ownLine([first = '', ...rest]: readonly TextSpan[]): readonly TextSpan[] {
  return typeof first === 'string' ? [`\n${first}`, ...rest] : ['\n', first, ...rest];
}

/** `78 · $44,000 on Yes at 55¢ to win $36,000`; a withdrawn alert says so. */
export function strengthLine(alert: Alert): string {
  return `${alert.score} · ${alert.withdrawn === null ? '' : 'withdrawn · '}${stakeWords(alert)}`;
}

/** The same, preceded by the sign of its result once there is one. */
export function markedStrengthLine(alert: Alert): string {
  const sign = resultSign(alert);
  return `${sign === null ? '' : `${sign} `}${strengthLine(alert)}`;
}

/** The stake, with a long outcome cut short. */
export function stakeWords(alert: Alert): string {
  return describeStake({ ...alert, outcome: cutLine(alert.outcome, OUTCOME_LENGTH) });
}

/** The market's title, which leads to the market. */
export function marketSpan(market: LinkedMarket): TextSpan {
  return { link: marketAddress(market), text: cutLine(market.eventTitle, TITLE_LENGTH) };
}

function whyLine({ details }: Alert): Paragraph {
  const notes = details.reasons.filter(({ factor }) => !SAID_ELSEWHERE.has(factor)).map(({ note }) => note);
  return notes.length === 0 ? [] : [capitalised(notes.join(', '))];
}

function walletLine({ type, wallet, details }: Alert, { isWalletHidden }: AlertContext): Paragraph {
  const age = `, ${daysOld(details.walletAgeDays)}`;
  const isLast = type === 'cluster';
  if (isWalletHidden) return [`${isLast ? 'Last wallet hidden' : 'A hidden wallet'}${age}`];
  const address = { link: walletAddress(wallet), text: shortWallet(wallet) };
  return [isLast ? 'Last wallet ' : 'Wallet ', address, age];
}

function followLine(follows: readonly string[]): Paragraph {
  if (follows.length === 0) return [];
  const names = follows.slice(0, FOLLOWS_SHOWN).map((name) => cutLine(name, FOLLOW_LENGTH));
  const more = follows.length - names.length;
  const label = follows.length === 1 ? 'Your follow' : 'Your follows';
  return [`${label}: ${names.join(', ')}${more === 0 ? '' : ` and ${more} more`}`];
}

/** Two rows. The numbers are those of alerts: an action is at most 60 bytes long, which the id of a market is not. */
export function alertButtons(
  alert: Pick<Alert, 'id' | 'type'> & LinkedMarket,
  { isWalletHidden, siteUrl }: AlertContext,
): readonly (readonly Button[])[] {
  const { id, type } = alert;
  // A hidden wallet cannot be followed; of a cluster’s wallets the last one alone says little.
  const follow =
    type === 'cluster' || isWalletHidden
      ? { label: 'Follow market', action: `fm:${id}` }
      : { label: 'Follow wallet', action: `fw:${id}` };
  return [
    [{ label: 'Why', action: `alert:${id}` }, lookButton(alert, siteUrl)],
    [follow, { label: 'Mute market', action: `mm:${id}` }],
  ];
}

/** Leads to the alert's page, or to its market while it has no page. */
export function lookButton(alert: Pick<Alert, 'id'> & LinkedMarket, siteUrl: string | null): Button {
  return siteUrl === null
    ? { label: 'Polymarket', url: marketAddress(alert) }
    : { label: 'Page', url: siteUrl + alertPath(alert.id) };
}
