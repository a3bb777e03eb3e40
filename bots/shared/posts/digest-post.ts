import { ALERT_TYPES, type Alert, type AlertType } from '../../../src/core/alerts/alert.ts';
import { counted, dollars, marketAddress, signedDollars } from '../../../src/core/alerts/alert-words.ts';
import type { DailyDigest } from '../../../src/core/chat/chat-message.ts';
import type { LogHead } from '../../../src/core/log/log-entry.ts';
import { FEWEST_EVENTS } from '../../../src/core/record/conclusion.ts';
import { logHeadSpan } from '../log-spans.ts';
import { plainScreen } from '../plain-screen.ts';
import type { Paragraph, Screen, TextSpan } from '../screen.ts';
import { listed } from './alert-list.ts';
import { ABOUT_NOTE } from './alert-post.ts';

const TOP_LENGTH = 1_500;

const TYPE_NOUNS: Readonly<Record<AlertType, string>> = {
  fresh: 'new wallet',
  fresh_accumulator: 'accumulating wallet',
  cluster: 'cluster',
};

/** What a digest shows beyond its figures. */
export interface DigestState {
  /** The day's alerts with the highest scores. */
  readonly top: readonly Alert[];
  /** The newest entry of the log that the channel may see. */
  readonly head: LogHead | null;
}

/** The digest of a day. */
export function digestPost(digest: DailyDigest, { top, head }: DigestState): Screen {
  const { day, alerts, hotMarkets } = digest;
  const title: Paragraph = [{ bold: `The day in suspicious trades: ${day} (UTC)` }, `\n${counts(digest)}`];
  // Results and the log come early: Discord cuts what is longer than 2,000 characters.
  const body: Paragraph[] = [title, results(digest)];
  if (head !== null) body.push([{ bold: 'Log' }, '\n', logHeadSpan(head)]);
  if (alerts > 0 && top.length > 0) body.push([{ bold: 'Strongest' }], ...listed(top, TOP_LENGTH));
  if (hotMarkets.length > 0) body.push(markets(hotMarkets));
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

function markets(hotMarkets: DailyDigest['hotMarkets']): Paragraph {
  const lines = hotMarkets.flatMap(({ slug, title, alerts, usdc }): TextSpan[] => [
    '\n',
    { link: marketAddress(slug), text: title },
    `: ${counted(alerts, 'alert')}, orders of ${dollars(usdc)}`,
  ]);
  return [{ bold: 'Hot markets' }, ...lines];
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
  if ((markets ?? resolved) < FEWEST_EVENTS) {
    const what = markets === undefined ? 'settled alerts' : `alerts in ${counted(markets, 'settled market')}`;
    return `Last 30 days: ${what}, ${won.toLocaleString('en-US')} of ${resolved.toLocaleString('en-US')} right: too few to say.`;
  }
  const right = `${percent(won / resolved)} of ${resolved.toLocaleString('en-US')} settled alerts were right.`;
  return `Last 30 days: ${right} At the prices paid, ${percent(averageEntry)} was needed to break even.`;
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
