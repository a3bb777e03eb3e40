import type { Alert } from '../../../src/core/alerts/alert.ts';
import { resultWords } from '../../../src/core/alerts/describe-alert.ts';
import type { Exit } from '../../../src/core/alerts/exits/exit.ts';
import { exitWords } from '../../../src/core/alerts/exits/exit-words.ts';
import type { LogHead } from '../../../src/core/alerts/log/log-entry.ts';
import { alertPath } from '../../../src/core/alerts/site-paths.ts';
import { FIGURES_FROM_MARKETS } from '../../../src/core/alerts/wallet-report.ts';
import {
  counted,
  dollars,
  marketAddress,
  oneLine,
  signedDollars,
} from '../../../src/core/base/text/formats.ts';
import type { Channel, ChatFacts } from '../../../src/core/chat/chat-message.ts';
import type { DailyDigest } from '../../../src/core/chat/digest-facts.ts';
import { ALERT_TYPES, type AlertType } from '../../../src/core/detection/candidate.ts';
import { logHeadSpan } from '../log-spans.ts';
import { type Paragraph, plainScreen, type Screen, shortened, type TextSpan } from '../screen.ts';
import { ABOUT_NOTE } from './alert-post.ts';
import { lengthOf, listed } from './list-room.ts';
import { markedStrengthLine } from './personal-alert.ts';
import { POST_STYLES } from './post-style.ts';

const TITLE_LENGTH = 120;
const OUTCOME_LENGTH = 24;

const TYPE_NOUNS: Readonly<Record<AlertType, string>> = {
  fresh: 'new wallet',
  fresh_accumulator: 'accumulating wallet',
  cluster: 'cluster',
};

interface DigestState {
  readonly top: readonly Alert[];
  /** The newest alerts of the threads without a post that day, best first. */
  readonly unposted: readonly Alert[];
  /** Those of `changes`, without those that are not there. */
  readonly settled: readonly Alert[];
  readonly exits: readonly Exit[];
  readonly channel: Channel;
  readonly siteUrl: string | null;
  readonly head: LogHead | null;
}

/** A list with its heading, in at most so much room. */
interface Section {
  readonly share: number;
  readonly draw: (room: number) => readonly Paragraph[];
}

/** The digest of a day. The lists share the room that the figures leave; what one leaves is for those after it. */
export function digestPost(digest: ChatFacts['daily_digest'], state: DigestState): Screen {
  const { day } = digest;
  const { head } = state;
  const { digestRoom } = POST_STYLES[state.channel];
  const title: Paragraph = [{ bold: `The day in suspicious trades: ${day} (UTC)` }, `\n${counts(digest)}`];
  const body: Paragraph[] = [title, results(digest)];
  if (head !== null) body.push([{ bold: 'Log' }, '\n', logHeadSpan(head)]);
  const sections = sectionsOf(digest, state);
  let shares = sections.reduce((sum, { share }) => sum + share, 0);
  for (const { share, draw } of sections) {
    body.push(...draw(((digestRoom - lengthOf(body)) * share) / shares));
    shares -= share;
  }
  return plainScreen('daily_digest', body, []);
}

/** Those that are not empty. */
function sectionsOf(digest: ChatFacts['daily_digest'], state: DigestState): readonly Section[] {
  const { alerts, hotMarkets, unposted, changes } = digest;
  const { top, siteUrl } = state;
  const entries = (of: readonly Alert[]) => of.map((alert) => alertEntry(alert, siteUrl));
  const list =
    (name: string, lines: readonly Paragraph[], more = 0) =>
    (room: number) => {
      const heading: Paragraph = [{ bold: name }];
      return [heading, ...listed(lines, room - lengthOf([heading]), more)];
    };
  const exits = state.exits.map((exit) => exitEntry(exit, siteUrl));
  const more = unposted?.more ?? 0;
  const sections: readonly (Section & { readonly isEmpty: boolean })[] = [
    { share: 7, isEmpty: changes.settled.length === 0, draw: (room) => settled(digest, state, room) },
    {
      ...{ share: 3, isEmpty: changes.exits.length === 0 },
      draw: list('Sold or hedged since the last digest', exits, changes.moreExits),
    },
    { share: 4, isEmpty: alerts === 0 || top.length === 0, draw: list('Strongest', entries(top)) },
    { share: 2, isEmpty: hotMarkets.length === 0, draw: (room) => [markets(hotMarkets, room)] },
    {
      ...{ share: 4, isEmpty: state.unposted.length + more === 0 },
      draw: list('Not posted, the best first', entries(state.unposted), more),
    },
  ];
  return sections.filter(({ isEmpty }) => !isEmpty);
}

/** Results of all alerts, whenever they were made: the losses too, and in the sum. */
function settled(
  { changes }: DailyDigest,
  { settled, siteUrl }: DigestState,
  room: number,
): readonly Paragraph[] {
  const { won, lost, profitUsdc } = changes;
  const winners = new Map(changes.settled.map(({ alertId, winner }) => [alertId, winner]));
  const lines = settled.map((alert) => alertEntry(alert, siteUrl, winners.get(alert.id)));
  const head: Paragraph = [
    { bold: 'Settled since the last digest' },
    `\n${won.toLocaleString('en-US')} right, ${lost.toLocaleString('en-US')} wrong, in all ${signedDollars(profitUsdc)} before fees.`,
  ];
  return [head, ...listed(lines, room - lengthOf([head]), won + lost - lines.length)];
}

/** The strength, the trade and, once it is settled, the result. It leads to the alert's page, or to the market. */
function alertEntry(alert: Alert, siteUrl: string | null, winner?: string | null): Paragraph {
  const outcome = winner == null ? '' : `: ${shortened(oneLine(winner), OUTCOME_LENGTH)} won`;
  const result = resultWords(alert);
  return [
    { bold: markedStrengthLine(alert) },
    '\n',
    titleSpan(alert, alert.id, siteUrl),
    ` · ${result === null ? 'open' : `${result}${outcome}`}`,
  ];
}

function exitEntry(exit: Exit, siteUrl: string | null): Paragraph {
  return [titleSpan(exit, exit.alertIds.at(-1) ?? exit.threadId, siteUrl), `\n${exitWords(exit)}`];
}

function titleSpan(
  { eventSlug, eventTitle }: Pick<Alert, 'eventSlug' | 'eventTitle'>,
  alertId: number,
  siteUrl: string | null,
): TextSpan {
  const link = siteUrl === null ? marketAddress(eventSlug) : siteUrl + alertPath(alertId);
  return { link, text: shortened(oneLine(eventTitle), TITLE_LENGTH) };
}

function counts({ alerts, byType }: DailyDigest): string {
  if (alerts === 0) return 'No alerts that day.';
  const types = ALERT_TYPES.flatMap((type) => {
    const count = byType[type] ?? 0;
    return count === 0 ? [] : counted(count, TYPE_NOUNS[type]);
  });
  return `${counted(alerts, 'alert')}: ${types.join(', ')}.`;
}

function markets(hotMarkets: DailyDigest['hotMarkets'], room: number): Paragraph {
  const shown: TextSpan[] = [];
  for (const { slug, title, alerts, usdc } of hotMarkets) {
    const line: Paragraph = [
      '\n',
      { link: marketAddress(slug), text: shortened(oneLine(title), TITLE_LENGTH) },
      `: ${counted(alerts, 'alert')}, orders of ${dollars(usdc)}`,
    ];
    if (shown.length > 0 && lengthOf([[...shown, ...line]]) > room) break;
    shown.push(...line);
  }
  return [{ bold: 'Hot markets' }, ...shown];
}

function results({ alerts, results: { won, lost, profitUsdc }, record }: DailyDigest): Paragraph {
  const settled =
    won + lost === 0
      ? 'None of that day is settled yet.'
      : `Settled so far: ${won} right, ${lost} wrong. Sum of the orders: ${signedDollars(profitUsdc)} before fees.`;
  const lines = [...(alerts === 0 ? [] : [settled]), recordLine(record)];
  return [{ bold: 'Results' }, `\n${lines.join('\n')}\n`, { italic: ABOUT_NOTE }];
}

/** Alerts of one market win or lose together, so markets are what there can be too few of. */
export function recordLine({ resolved, markets, won, averageEntry }: DailyDigest['record']): string {
  if (resolved === 0 || averageEntry === null) return 'No alert of the last 30 days is settled yet.';
  if (markets < FIGURES_FROM_MARKETS) {
    const what = `alerts in ${counted(markets, 'settled market')}`;
    return `Last 30 days: ${what}, ${won.toLocaleString('en-US')} of ${resolved.toLocaleString('en-US')} right: too few to say.`;
  }
  const right = `${percentToTenth(won / resolved)} of ${resolved.toLocaleString('en-US')} settled alerts were right.`;
  return `Last 30 days: ${right} At the prices paid, ${percentToTenth(averageEntry)} was needed to break even.`;
}

export function percentToTenth(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
