import type { Alert, AlertType } from '../../../src/core/alert.ts';
import {
  dollars,
  marketAddress,
  scoreBar,
  shortWallet,
  walletAddress,
} from '../../../src/core/alert-words.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/duration.ts';
import type { EpochMs } from '../../../src/core/trade.ts';
import { plainScreen } from '../plain-screen.ts';
import type { Paragraph, Screen, Span } from '../screen.ts';

const TITLE_LENGTH = 200;
/** A trade that was found later than this is said to be. */
const LATE_MS = 2 * MINUTE_MS;

/** A channel's post of an alert; with its outcome when it has one. */
export function alertPost(alert: Alert, now: EpochMs): Screen {
  const body: Paragraph[] = [
    [`${heading(alert)}\n`, { bold: shortened(alert.eventTitle) }, `\n${trade(alert)}`],
    [signal(alert)],
    sources(alert, now),
  ];
  if (alert.resolution !== null) body.push([resultLine(alert.resolution)]);
  return plainScreen('alert_post', body, []);
}

const HEADINGS: Readonly<Record<AlertType, string>> = {
  fresh: '🔔 Suspicious trade by a new wallet',
  fresh_accumulator: '🔔 Suspicious: a new wallet keeps buying',
  cluster: '🔔 Suspicious cluster',
};

function heading({ type, details }: Alert): string {
  const { wallets, clusterTotal } = details;
  if (type !== 'cluster' || wallets === undefined) return HEADINGS[type];
  const total = clusterTotal === undefined ? '' : `, ${dollars(clusterTotal)} in all`;
  return `${HEADINGS.cluster}: ${wallets.length} wallets${total}`;
}

function trade({ side, outcome, entryPrice, usdc }: Alert): string {
  const cents = (entryPrice * 100).toFixed(1).replace(/\.0$/, '');
  return `${side} ${shortened(outcome)} at ${cents}¢ (${cents} %) for ${dollars(usdc)}`;
}

function signal({ score, details }: Alert): string {
  const reasons = details.reasons.filter(({ points }) => points !== 0);
  const lines = reasons.map(({ points, note }) => `${points > 0 ? '+' : ''}${points} ${note}`);
  return [`${scoreBar(score)} ${score} of 100`, ...lines].join('\n');
}

function sources(alert: Alert, now: EpochMs): Paragraph {
  const { wallet, eventSlug } = alert;
  const spans: Span[] = [
    'Wallet ',
    { link: walletAddress(wallet), text: shortWallet(wallet) },
    ` · ${traded(alert, now)} · `,
    { link: marketAddress(eventSlug), text: 'Market' },
  ];
  return spans;
}

/** A trade found late is an old one: its own hour says so, whenever the post is read. */
function traded({ tradedAt, detectedAt }: Alert, now: EpochMs): string {
  if (detectedAt - tradedAt <= LATE_MS) return `traded ${age(now - tradedAt)} ago`;
  return `found late: traded ${new Date(tradedAt).toISOString().slice(11, 16)} UTC`;
}

/** `✅ Right: +$1,234 had one followed`. */
export function resultLine({ won, profitUsdc }: NonNullable<Alert['resolution']>): string {
  return `${won ? '✅ Right' : '❌ Wrong'}: ${signed(profitUsdc)} had one followed`;
}

/** A sum with its sign, `+$1,234` or `−$1,234`. */
export function signed(usdc: number): string {
  return `${usdc < 0 ? '−' : '+'}${dollars(Math.abs(usdc))}`;
}

function age(ms: number): string {
  if (ms < MINUTE_MS) return 'under a minute';
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min`;
  return ms < DAY_MS ? `${Math.floor(ms / HOUR_MS)} h` : days(Math.floor(ms / DAY_MS));
}

/** `1 day`, `2 days`. */
export function days(count: number): string {
  return count === 1 ? '1 day' : `${count} days`;
}

function shortened(text: string): string {
  return text.length <= TITLE_LENGTH ? text : `${text.slice(0, TITLE_LENGTH - 1)}…`;
}
