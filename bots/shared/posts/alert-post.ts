import type { Alert } from '../../../src/core/alerts/alert.ts';
import { describeResult, describeTrade } from '../../../src/core/alerts/describe-alert.ts';
import type { Exit } from '../../../src/core/alerts/exits/exit.ts';
import { exitWords } from '../../../src/core/alerts/exits/exit-words.ts';
import { alertPath, cardPath, previewPath } from '../../../src/core/alerts/site-paths.ts';
import {
  capitalised,
  marketAddress,
  oneLine,
  scoreBar,
  shortWallet,
  timeSpan,
  utcMinute,
  walletAddress,
} from '../../../src/core/base/text/formats.ts';
import { type EpochMs, MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import type { Channel } from '../../../src/core/chat/chat-message.ts';
import type { AlertType } from '../../../src/core/detection/candidate.ts';
import { logLine } from '../log-spans.ts';
import {
  type Button,
  type LinkPreview,
  type Paragraph,
  plainScreen,
  type Screen,
  shortened,
  type TextSpan,
} from '../screen.ts';
import { POST_STYLES } from './post-style.ts';

const TITLE_LENGTH = 200;
/** A trade that was found, or is posted, later than this is said to be. */
const LATE_MS = 2 * MINUTE_MS;
/** From this score on a channel's post shows the picture of its alert, whatever the lowest score of the channel. */
const STRONG_SCORE = 70;

interface PostContext {
  /** Null: a private chat, which names the alert itself. */
  readonly channel: Channel | null;
  readonly profileUrl: string | null;
  /** Where the pages of alerts are, without a slash at its end; null where readers cannot open them. */
  readonly siteUrl: string | null;
}

interface PostState {
  readonly postedAt: EpochMs | null;
  /** Whether the post showed an earlier alert of the thread before. */
  readonly isUpdated: boolean;
  readonly isWalletHidden: boolean;
  /** What became of the position; null without an exit. */
  readonly exit: Exit | null;
}

export function alertPost(alert: Alert, state: PostState, context: PostContext): Screen {
  const outcome = shortened(alert.outcome, TITLE_LENGTH);
  const trade = capitalised(describeTrade({ ...alert, outcome }));
  const body: Paragraph[] = [
    [
      `${HEADINGS[alert.type]}\n`,
      { bold: shortened(oneLine(alert.eventTitle), TITLE_LENGTH) },
      `\n${trade}${state.isUpdated ? `\n${UPDATED}` : ''}`,
    ],
    [signal(alert)],
    sources(alert, state, context),
  ];
  if (state.exit !== null) body.push([`${exitWords(state.exit)}.`]);
  const result = describeResult(alert);
  if (result !== null) body.push([result]);
  return {
    ...plainScreen('alert_post', body, buttonsOf(alert, context)),
    preview: previewOf(alert, context),
  };
}

function previewOf(alert: Alert, { channel, siteUrl }: PostContext): LinkPreview | null {
  if (channel === null || siteUrl === null || alert.score < STRONG_SCORE) return null;
  return { page: siteUrl + previewPath(alert), picture: siteUrl + cardPath(alert) };
}

/** Where no link carries a command, the bot's profile has a button that writes to it. */
function buttonsOf(
  { id, eventSlug }: Alert,
  { channel, profileUrl, siteUrl }: PostContext,
): readonly (readonly Button[])[] {
  const details = siteUrl === null ? [] : [{ label: 'Details', url: siteUrl + alertPath(id) }];
  const links = [...details, { label: 'Market', url: marketAddress(eventSlug) }];
  if (profileUrl === null) return [links];
  if (channel !== null && !POST_STYLES[channel].hasDeepLinks)
    return [[...links, { label: 'Get a key', url: profileUrl }]];
  const bot = [
    { label: 'Why', url: `${profileUrl}?start=alert_${id}` },
    { label: 'Get a key', url: `${profileUrl}?start=key` },
  ];
  // Four in one row are cut off on a phone.
  return details.length === 0 ? [[...links, ...bot]] : [links, bot];
}

const UPDATED = 'Updated: more was bought since the first post.';

const HEADINGS: Readonly<Record<AlertType, string>> = {
  fresh: '🔔 Suspicious trade by a new wallet',
  fresh_accumulator: '🔔 Suspicious: a new wallet keeps buying',
  cluster: '🔔 Suspicious: several new wallets buy the same',
};

function signal({ score, details }: Alert): string {
  const reasons = details.reasons.filter(({ points }) => points !== 0);
  const lines = reasons.map(({ points, note }) => `${points > 0 ? '+' : ''}${points} ${note}`);
  return [`${scoreBar(score)} ${score} of 100`, ...lines].join('\n');
}

function sources(alert: Alert, { postedAt, isWalletHidden }: PostState, { channel }: PostContext): Paragraph {
  const { type, wallet, log } = alert;
  const label = type === 'cluster' ? 'Last wallet' : 'Wallet';
  return [
    ...walletSpans(label, { wallet, text: shortWallet(wallet), isHidden: isWalletHidden }),
    ` · ${times(alert, postedAt)}\n${subject(alert, channel)}\n`,
    { italic: ABOUT_NOTE },
    ...logLine(log),
  ];
}

/** For searches: the category, as a hashtag where the platform has them, and the alert's id. */
function subject({ id, category }: Alert, channel: Channel | null): string {
  const words = category.split('_');
  const plain = capitalised(words.join(' '));
  if (channel === null) return plain;
  const { hasHashtags, hasDeepLinks } = POST_STYLES[channel];
  const why = hasDeepLinks ? '' : `: /alert ${id} in the bot says why`;
  return `${hasHashtags ? `#${words.map(capitalised).join('')}` : plain} · alert ${id}${why}`;
}

/** No age: a post stands for days. */
function times({ tradedAt, detectedAt }: Alert, postedAt: EpochMs | null): string {
  const traded = `${detectedAt - tradedAt > LATE_MS ? 'found late: ' : ''}traded ${utcMinute(tradedAt)}`;
  if (postedAt === null || postedAt - tradedAt <= LATE_MS) return traded;
  return `${traded} · posted ${timeSpan(postedAt - tradedAt)} later`;
}

/** Leads readers of a channel to what an alert means: the bot's `/about`, in short what docs/reading-alerts.md says. */
export const ABOUT_NOTE = 'Not proof and not advice: /about in the bot explains what an alert means.';

export function walletSpans(
  label: string,
  { wallet, text, isHidden }: { readonly wallet: string; readonly text: string; readonly isHidden: boolean },
): readonly TextSpan[] {
  return isHidden ? [`${label}: a hidden wallet`] : [`${label} `, { link: walletAddress(wallet), text }];
}
