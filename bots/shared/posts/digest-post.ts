import type { Alert } from '../../../src/core/alerts/alert.ts';
import type { LogHead } from '../../../src/core/alerts/log/log-entry.ts';
import { FIGURES_FROM_MARKETS } from '../../../src/core/alerts/wallet-report.ts';
import {
  counted,
  dollars,
  marketAddress,
  oneLine,
  signedDollars,
} from '../../../src/core/base/text/formats.ts';
import type { Channel, ChatFacts, DailyDigest } from '../../../src/core/chat/chat-message.ts';
import { ALERT_TYPES, type AlertType } from '../../../src/core/detection/candidate.ts';
import { logHeadSpan } from '../log-spans.ts';
import { plainScreen } from '../plain-screen.ts';
import { type Paragraph, type Screen, shortened, type TextSpan } from '../screen.ts';
import { alertLine, alertLineWithResult, lengthOf, listed } from './alert-list.ts';
import { ABOUT_NOTE } from './alert-post.ts';

/** Characters of a message on the platform, with some left for the headings of the lists. */
const ROOM: Readonly<Record<Channel, number>> = { telegram: 4_000, discord: 1_900 };
/** The parts of the room for lists that the strongest alerts and the hot markets take at most. */
const SHARES = { top: 0.4, markets: 0.2 } as const;
const TITLE_LENGTH = 120;

const TYPE_NOUNS: Readonly<Record<AlertType, string>> = {
  fresh: 'new wallet',
  fresh_accumulator: 'accumulating wallet',
  cluster: 'cluster',
};

type Unposted = Pick<ChatFacts['daily_digest'], 'unposted'>;

/** What a digest shows beyond its figures. */
export interface DigestState {
  /** The day's alerts with the highest scores. */
  readonly top: readonly Alert[];
  /** The newest alerts of the threads without a post that day, best first. */
  readonly unposted: readonly Alert[];
  readonly channel: Channel;
  /** Where the pages of alerts are; null where readers cannot open them. */
  readonly siteUrl: string | null;
  /** The newest entry of the log that the channel may see. */
  readonly head: LogHead | null;
}

/** The digest of a day. The lists share the room that the figures leave. */
export function digestPost(digest: DailyDigest & Unposted, state: DigestState): Screen {
  const { day, alerts, hotMarkets, unposted } = digest;
  const title: Paragraph = [{ bold: `The day in suspicious trades: ${day} (UTC)` }, `\n${counts(digest)}`];
  const body: Paragraph[] = [title, results(digest)];
  if (state.head !== null) body.push([{ bold: 'Log' }, '\n', logHeadSpan(state.head)]);
  const room = ROOM[state.channel] - lengthOf(body);
  if (alerts > 0 && state.top.length > 0)
    body.push(
      [{ bold: 'Strongest' }],
      ...listed(state.top, { room: SHARES.top * room, line: (alert) => alertLine(alert, state.siteUrl) }),
    );
  if (hotMarkets.length > 0) body.push(markets(hotMarkets, SHARES.markets * room));
  const more = unposted?.more ?? 0;
  if (state.unposted.length + more > 0) {
    const left = ROOM[state.channel] - lengthOf(body);
    const line = (alert: Alert) => alertLineWithResult(alert, state.siteUrl);
    const list = listed(state.unposted, { room: left, line, more });
    body.push([{ bold: 'Not posted, the best first' }], ...list);
  }
  return plainScreen('daily_digest', body, []);
}

function counts({ alerts, byType }: DailyDigest): string {
  if (alerts === 0) return 'No alerts that day.';
  const types = ALERT_TYPES.flatMap((type) => {
    const count = byType[type] ?? 0;
    return count === 0 ? [] : counted(count, TYPE_NOUNS[type]);
  });
  return `${counted(alerts, 'alert')}: ${types.join(', ')}.`;
}

/** At least the first. */
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

/** Losses are named as wins are. */
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
  if ((markets ?? resolved) < FIGURES_FROM_MARKETS) {
    const what = markets === undefined ? 'settled alerts' : `alerts in ${counted(markets, 'settled market')}`;
    return `Last 30 days: ${what}, ${won.toLocaleString('en-US')} of ${resolved.toLocaleString('en-US')} right: too few to say.`;
  }
  const right = `${percentToTenth(won / resolved)} of ${resolved.toLocaleString('en-US')} settled alerts were right.`;
  return `Last 30 days: ${right} At the prices paid, ${percentToTenth(averageEntry)} was needed to break even.`;
}

/** `55.5 %` of a share from 0 to 1. */
export function percentToTenth(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
