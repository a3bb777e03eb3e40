import type { Alert } from '../../../src/core/alerts/alert.ts';
import { scoreBandOf, typeInSentence } from '../../../src/core/alerts/alert-names.ts';
import { resultWords } from '../../../src/core/alerts/describe-alert.ts';
import type { Exit } from '../../../src/core/alerts/exits/exit.ts';
import { exitWords } from '../../../src/core/alerts/exits/exit-words.ts';
import { alertPath, cardPath, previewPath } from '../../../src/core/alerts/site-paths.ts';
import {
  capitalised,
  counted,
  dollars,
  shortWallet,
  timeSpan,
  utcMinute,
} from '../../../src/core/base/text/formats.ts';
import { type EpochMs, MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import type { Channel } from '../../../src/core/chat/chat-message.ts';
import { walletAddress } from '../../../src/core/trades/other-sites.ts';
import { logLine } from '../log-spans.ts';
import {
  type Button,
  type LinkPreview,
  type Paragraph,
  plainScreen,
  type Screen,
  type TextSpan,
} from '../screen.ts';
import { lookButton, markedStrengthLine, marketSpan } from './personal-alert.ts';
import { POST_STYLES } from './post-style.ts';

/** A trade that was found, or is posted, later than this is called late. */
const LATE_MS = 2 * MINUTE_MS;
/** From this score on a channel's post shows the picture of its alert, whatever the lowest score of the channel. */
const STRONG_SCORE = 70;
/** From this score on (“very strong”) a new post makes a sound. */
const LOUD_SCORE = 80;

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
  /** Alerts of the same wallet that were posted in the day before, newest first. */
  readonly sameWallet: readonly number[];
  /** What became of the position; null without an exit. */
  readonly exit: Exit | null;
}

/** What a notification shows comes first: how strong, how much, on what. Then why, who and when; the proof comes last. */
export function alertPost(alert: Alert, state: PostState, context: PostContext): Screen {
  const { postedAt, isUpdated, exit } = state;
  const result = resultWords(alert, exit);
  const news = [
    `${bandOf(alert)} · ${whatHappened(alert)}`,
    ...(isUpdated ? [UPDATED] : []),
    ...(exit === null ? [] : [`${exitWords(exit)}.`]),
    ...(result === null ? [] : [`${capitalised(result)}.`]),
  ];
  const body: Paragraph[] = [
    [{ bold: markedStrengthLine(alert) }, '\n', marketSpan(alert), `\n${news.join('\n')}`],
    [reasons(alert)],
    sources(alert, state, context),
  ];
  return {
    ...plainScreen('alert_post', body, [buttonsOf(alert, context)]),
    preview: previewOf(alert, exit, context),
    isSilent: postedAt === null || alert.score < LOUD_SCORE,
  };
}

function previewOf(alert: Alert, exit: Exit | null, { channel, siteUrl }: PostContext): LinkPreview | null {
  if (channel === null || siteUrl === null || alert.score < STRONG_SCORE) return null;
  return { page: siteUrl + previewPath(alert, exit), picture: siteUrl + cardPath(alert, exit) };
}

/** Where links cannot carry a command, the button leads to the bot's profile. */
function buttonsOf(alert: Alert, { channel, profileUrl, siteUrl }: PostContext): readonly Button[] {
  const look = lookButton(alert, siteUrl);
  if (profileUrl === null) return [look];
  return channel !== null && POST_STYLES[channel].hasDeepLinks
    ? [look, { label: 'Follow', url: `${profileUrl}?start=f_${alert.id}` }]
    : [look, { label: 'Open the bot', url: profileUrl }];
}

const UPDATED = 'Updated: more has been bought since the first post.';

function bandOf({ score }: Alert): string {
  return capitalised(scoreBandOf(score).word);
}

/** Who traded and how, where the first line does not say it. */
function whatHappened({ type, side, usdc, details: { marketBuyCount, role } }: Alert): string {
  const name = typeInSentence(type);
  if (type === 'cluster') return `${name} within an hour`;
  const resting = role === 'maker' ? ' with a resting order' : '';
  if (side === 'SELL') return `${name} sold${resting}`;
  if (marketBuyCount <= 1) return `${name} bought${resting}`;
  return `${name}: ${counted(marketBuyCount, 'buy')}, the last ${dollars(usdc)}`;
}

function reasons({ details }: Alert): string {
  const counted = details.reasons.filter(({ points }) => points !== 0);
  return counted.map(({ points, note }) => `${points > 0 ? '+' : ''}${points} ${note}`).join('\n');
}

function sources(alert: Alert, state: PostState, { channel, siteUrl }: PostContext): Paragraph {
  const { type, wallet, log } = alert;
  const label = type === 'cluster' ? 'Last wallet' : 'Wallet';
  return [
    ...walletSpans(label, { wallet, text: shortWallet(wallet), isHidden: state.isWalletHidden }),
    ` · ${times(alert, state.postedAt)}`,
    ...sameWalletSpans(state, siteUrl),
    `\n${subject(alert, channel)}`,
    // The page says it.
    ...(channel !== null && siteUrl === null ? ['\n', { italic: ABOUT_NOTE }] : []),
    ...logLine(log),
  ];
}

function sameWalletSpans({ isWalletHidden, sameWallet }: PostState, siteUrl: string | null): Paragraph {
  if (isWalletHidden || sameWallet.length === 0) return [];
  const names = sameWallet.map((id, index): TextSpan[] => {
    const text = `alert ${id}`;
    return [index === 0 ? '' : ', ', siteUrl === null ? text : { link: siteUrl + alertPath(id), text }];
  });
  return ['\nSame wallet, posted in the previous day: ', ...names.flat()];
}

/** For searching: the category, as a hashtag where the platform has them, and the alert's id. */
function subject({ id, category }: Alert, channel: Channel | null): string {
  const words = category.split('_');
  const plain = capitalised(words.join(' '));
  if (channel === null) return plain;
  const { hasHashtags, hasDeepLinks } = POST_STYLES[channel];
  const follow = hasDeepLinks ? '' : `: to follow it, send /alert ${id} to the bot`;
  return `${hasHashtags ? `#${words.map(capitalised).join('')}` : plain} · alert ${id}${follow}`;
}

/** Never an age: a post stays for days. */
function times({ tradedAt, detectedAt }: Alert, postedAt: EpochMs | null): string {
  const traded = `${detectedAt - tradedAt > LATE_MS ? 'found late: ' : ''}traded ${utcMinute(tradedAt)}`;
  if (postedAt === null || postedAt - tradedAt <= LATE_MS) return traded;
  return `${traded} · posted ${timeSpan(postedAt - tradedAt)} later`;
}

/** Leads readers of a channel to what an alert means: the bot's `/about`, in short what docs/reading-alerts.md says. */
export const ABOUT_NOTE = 'Neither proof nor advice: /about in the bot explains what an alert means.';

export function walletSpans(
  label: string,
  { wallet, text, isHidden }: { readonly wallet: string; readonly text: string; readonly isHidden: boolean },
): readonly TextSpan[] {
  return isHidden ? [`${label}: a hidden wallet`] : [`${label} `, { link: walletAddress(wallet), text }];
}
