import type { Alert, AlertType } from '../../../src/core/alert.ts';
import {
  ago,
  capitalised,
  marketAddress,
  scoreBar,
  shortWallet,
  utcMinute,
  walletAddress,
} from '../../../src/core/alert-words.ts';
import { describeResult, describeTrade } from '../../../src/core/describe-alert.ts';
import { MINUTE_MS } from '../../../src/core/duration.ts';
import type { EpochMs } from '../../../src/core/trade.ts';
import { plainScreen } from '../plain-screen.ts';
import type { Paragraph, Screen, Span } from '../screen.ts';
import { ABOUT_NOTE } from './about-note.ts';

const TITLE_LENGTH = 200;
/** A trade that was found later than this is said to be. */
const LATE_MS = 2 * MINUTE_MS;

/** A channel's post of an alert; with its outcome when it has one. */
export function alertPost(alert: Alert, now: EpochMs): Screen {
  const body: Paragraph[] = [
    [`${HEADINGS[alert.type]}\n`, { bold: shortened(alert.eventTitle) }, `\n${trade(alert)}`],
    [signal(alert)],
    sources(alert, now),
  ];
  const result = describeResult(alert);
  if (result !== null) body.push([result]);
  return plainScreen('alert_post', body, []);
}

const HEADINGS: Readonly<Record<AlertType, string>> = {
  fresh: '🔔 Suspicious trade by a new wallet',
  fresh_accumulator: '🔔 Suspicious: a new wallet keeps buying',
  cluster: '🔔 Suspicious: several new wallets buy the same',
};

function trade(alert: Alert): string {
  return capitalised(describeTrade({ ...alert, outcome: shortened(alert.outcome) }));
}

function signal({ score, details }: Alert): string {
  const reasons = details.reasons.filter(({ points }) => points !== 0);
  const lines = reasons.map(({ points, note }) => `${points > 0 ? '+' : ''}${points} ${note}`);
  return [`${scoreBar(score)} ${score} of 100`, ...lines].join('\n');
}

function sources(alert: Alert, now: EpochMs): Paragraph {
  const { type, wallet, eventSlug } = alert;
  const spans: Span[] = [
    type === 'cluster' ? 'Last wallet ' : 'Wallet ',
    { link: walletAddress(wallet), text: shortWallet(wallet) },
    ` · ${traded(alert, now)} · `,
    { link: marketAddress(eventSlug), text: 'Market' },
    '\n',
    { italic: ABOUT_NOTE },
  ];
  return spans;
}

/** The minute stands in every post, since it is read later; the age only until a result is written into it. */
function traded({ tradedAt, detectedAt, resolution }: Alert, now: EpochMs): string {
  const minute = utcMinute(tradedAt);
  const when = resolution === null ? `traded ${ago(tradedAt, now)} (${minute})` : `traded ${minute}`;
  return detectedAt - tradedAt <= LATE_MS ? when : `found late: ${when}`;
}

function shortened(text: string): string {
  return text.length <= TITLE_LENGTH ? text : `${text.slice(0, TITLE_LENGTH - 1)}…`;
}
