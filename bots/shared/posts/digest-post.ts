import type { Alert } from '../../../src/core/alerts/alert.ts';
import { typeInSentence } from '../../../src/core/alerts/alert-names.ts';
import { courseWords } from '../../../src/core/alerts/describe-alert.ts';
import type { Exit } from '../../../src/core/alerts/exits/exit.ts';
import { exitWords } from '../../../src/core/alerts/exits/exit-words.ts';
import type { LogHead } from '../../../src/core/alerts/log/log-entry.ts';
import { alertPath } from '../../../src/core/alerts/site-paths.ts';
import { FIGURES_FROM_MARKETS } from '../../../src/core/alerts/wallet-report.ts';
import {
  capitalised,
  counted,
  cutLine,
  grouped,
  signedDollars,
} from '../../../src/core/base/text/formats.ts';
import type { Channel, ChatFacts } from '../../../src/core/chat/chat-message.ts';
import type { DailyDigest } from '../../../src/core/chat/digest-facts.ts';
import { ALERT_TYPES } from '../../../src/core/detection/candidate.ts';
import { rightWords } from '../../../src/core/record/conclusion.ts';
import { type LinkedMarket, marketAddress } from '../../../src/core/trades/other-sites.ts';
import { logHeadSpan } from '../log-spans.ts';
import { type Paragraph, plainScreen, type Screen, type TextSpan } from '../screen.ts';
import { ABOUT_NOTE } from './alert-post.ts';
import { lengthOf, listedWithin } from './list-room.ts';
import { markedStrengthLine, OUTCOME_LENGTH, TITLE_LENGTH } from './personal-alert.ts';
import { POST_STYLES } from './post-style.ts';

interface DigestState {
  /** The newest alerts of the threads without a post that day, best first. */
  readonly unposted: readonly Alert[];
  /** Those of `changes`, without those that are not there. */
  readonly settled: readonly Alert[];
  readonly exits: readonly Exit[];
  /** The last exit of a listed alert's thread, by the id of the alert. */
  readonly exitOf: ReadonlyMap<number, Exit>;
  readonly channel: Channel;
  readonly siteUrl: string | null;
  readonly head: LogHead | null;
}

/** A list of the digest. */
interface Section {
  /** Of the room, beside the other lists that are not empty. */
  readonly share: number;
  readonly heading: Paragraph;
  readonly lines: readonly Paragraph[];
  /** Number of entries beyond the lines. */
  readonly more: number;
}

/** The digest of a day. The lists share the room left by the figures; what one does not use goes to the next. */
export function digestPost(digest: ChatFacts['daily_digest'], state: DigestState): Screen {
  const { day, record } = digest;
  const { head } = state;
  const { digestRoom } = POST_STYLES[state.channel];
  const body: Paragraph[] = [
    [{ bold: `The day in suspicious trades: ${day} (UTC)` }, `\n${counts(digest)}`],
    [{ bold: 'Results' }, `\n${recordLine(record)}\n`, { italic: ABOUT_NOTE }],
  ];
  if (head !== null) body.push([{ bold: 'Log' }, '\n', logHeadSpan(head)]);
  const sections = sectionsOf(digest, state).filter(({ lines, more }) => lines.length + more > 0);
  let shares = sections.reduce((sum, { share }) => sum + share, 0);
  for (const { share, heading, lines, more } of sections) {
    body.push(heading);
    body.push(...listedWithin(lines, ((digestRoom - lengthOf(body)) * share) / shares, more));
    shares -= share;
  }
  return plainScreen('daily_digest', body, []);
}

function sectionsOf(
  { changes, unposted }: ChatFacts['daily_digest'],
  { settled, exits, exitOf, unposted: notPosted, siteUrl }: DigestState,
): readonly Section[] {
  const { won, lost, profitUsdc, moreExits } = changes;
  const winners = new Map(changes.settled.map(({ alertId, winner }) => [alertId, winner]));
  const entries = (of: readonly Alert[]) =>
    of.map((alert) => alertEntry(alert, { exitOf, siteUrl, winner: winners.get(alert.id) }));
  return [
    {
      share: 7,
      // Results of all alerts, whenever they were made: the losses too, and in the sum.
      heading: [
        { bold: 'Settled since the last digest' },
        `\n${grouped(won)} right, ${grouped(lost)} wrong, in total ${signedDollars(profitUsdc)} before fees.`,
      ],
      lines: entries(settled),
      more: won + lost - settled.length,
    },
    {
      share: 3,
      heading: [{ bold: 'Sold or hedged since the last digest' }],
      lines: exits.map((exit) => exitEntry(exit, siteUrl)),
      more: moreExits,
    },
    {
      share: 4,
      heading: [{ bold: 'Not posted, best first' }],
      lines: entries(notPosted.filter(({ id }) => !winners.has(id))),
      more: unposted?.more ?? 0,
    },
  ];
}

type EntryContext = Pick<DigestState, 'exitOf' | 'siteUrl'> & { readonly winner: string | null | undefined };

/** The strength, the trade and, once it is settled, the result. It leads to the alert's page, or to the market. */
function alertEntry(alert: Alert, { exitOf, siteUrl, winner }: EntryContext): Paragraph {
  const outcome = winner == null ? '' : `: ${cutLine(winner, OUTCOME_LENGTH)} won`;
  const course = courseWords(alert, exitOf.get(alert.id) ?? null);
  return [
    { bold: markedStrengthLine(alert) },
    '\n',
    titleSpan(alert, alert.id, siteUrl),
    ` · ${course ?? 'open'}${outcome}`,
  ];
}

function exitEntry(exit: Exit, siteUrl: string | null): Paragraph {
  return [titleSpan(exit, exit.alertIds.at(-1) ?? exit.threadId, siteUrl), `\n${exitWords(exit)}`];
}

function titleSpan(market: LinkedMarket, alertId: number, siteUrl: string | null): TextSpan {
  const link = siteUrl === null ? marketAddress(market) : siteUrl + alertPath(alertId);
  return { link, text: cutLine(market.eventTitle, TITLE_LENGTH) };
}

function counts({ bets, byType }: DailyDigest): string {
  if (bets === 0) return 'No bets that day.';
  const types = ALERT_TYPES.flatMap((type) => {
    const count = byType[type] ?? 0;
    return count === 0 ? [] : `${typeInSentence(type)} ${grouped(count)}`;
  });
  return `${counted(bets, 'bet')}: ${types.join(', ')}.`;
}

/** Alerts on one market win or lose together, so it is the number of markets that must be large enough. */
export function recordLine(
  { resolved, markets, won, averageEntry }: DailyDigest['record'],
  window = 'last 30 days',
): string {
  if (resolved === 0 || averageEntry === null) return `No bet from the ${window} has settled yet.`;
  if (markets < FIGURES_FROM_MARKETS) {
    const what = `bets in ${counted(markets, 'settled market')}`;
    return `${capitalised(window)}: ${what}, ${grouped(won)} of ${grouped(resolved)} right: too few to say.`;
  }
  return `${capitalised(window)}: ${rightWords({ settled: resolved, right: won, averageEntry })}`;
}
