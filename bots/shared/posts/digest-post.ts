import type { Alert } from '../../../src/core/alerts/alert.ts';
import { describeResult, describeTrade } from '../../../src/core/alerts/describe-alert.ts';
import type { LogHead } from '../../../src/core/alerts/log/log-entry.ts';
import { alertPath } from '../../../src/core/alerts/site-paths.ts';
import { FIGURES_FROM_MARKETS } from '../../../src/core/alerts/wallet-report.ts';
import {
  capitalised,
  counted,
  dollars,
  marketAddress,
  oneLine,
  signedDollars,
} from '../../../src/core/base/text/formats.ts';
import type { Channel, ChatFacts, DailyDigest } from '../../../src/core/chat/chat-message.ts';
import { ALERT_TYPES, type AlertType } from '../../../src/core/detection/candidate.ts';
import { logHeadSpan } from '../log-spans.ts';
import { type Paragraph, plainScreen, type Screen, shortened, type TextSpan } from '../screen.ts';
import { ABOUT_NOTE } from './alert-post.ts';
import { lengthOf, listed } from './list-room.ts';
import { POST_STYLES } from './post-style.ts';

/** The parts of the room for lists that the strongest alerts and the hot markets take at most. */
const SHARES = { top: 0.4, markets: 0.2 } as const;
const TITLE_LENGTH = 120;

const TYPE_NOUNS: Readonly<Record<AlertType, string>> = {
  fresh: 'new wallet',
  fresh_accumulator: 'accumulating wallet',
  cluster: 'cluster',
};

interface DigestState {
  readonly top: readonly Alert[];
  /** The newest alerts of the threads without a post that day, best first. */
  readonly unposted: readonly Alert[];
  readonly channel: Channel;
  readonly siteUrl: string | null;
  readonly head: LogHead | null;
}

/** The digest of a day. The lists share the room that the figures leave. */
export function digestPost(digest: ChatFacts['daily_digest'], state: DigestState): Screen {
  const { day, alerts, hotMarkets, unposted } = digest;
  const { top, siteUrl, head } = state;
  const { digestRoom } = POST_STYLES[state.channel];
  const title: Paragraph = [{ bold: `The day in suspicious trades: ${day} (UTC)` }, `\n${counts(digest)}`];
  const body: Paragraph[] = [title, results(digest)];
  if (head !== null) body.push([{ bold: 'Log' }, '\n', logHeadSpan(head)]);
  const room = digestRoom - lengthOf(body);
  if (alerts > 0 && top.length > 0) {
    const lines = top.map((alert) => alertLine(alert, siteUrl));
    body.push([{ bold: 'Strongest' }], ...listed(lines, SHARES.top * room));
  }
  if (hotMarkets.length > 0) body.push(markets(hotMarkets, SHARES.markets * room));
  const more = unposted?.more ?? 0;
  if (state.unposted.length + more > 0) {
    const lines = state.unposted.map((alert) => [
      ...alertLine(alert, siteUrl),
      ` · ${describeResult(alert) ?? 'open'}`,
    ]);
    const list = listed(lines, digestRoom - lengthOf(body), more);
    body.push([{ bold: 'Not posted, the best first' }], ...list);
  }
  return plainScreen('daily_digest', body, []);
}

/** The market, what was traded for how much, and how strong it is. It leads to the alert's page, or to the market. */
function alertLine(alert: Alert, siteUrl: string | null): Paragraph {
  const link = siteUrl === null ? marketAddress(alert.eventSlug) : siteUrl + alertPath(alert.id);
  const trade = describeTrade({ ...alert, outcome: shortened(alert.outcome, TITLE_LENGTH) });
  return [
    { link, text: shortened(oneLine(alert.eventTitle), TITLE_LENGTH) },
    `\n${capitalised(trade)} · score ${alert.score}`,
  ];
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
