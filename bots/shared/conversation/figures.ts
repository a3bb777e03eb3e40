import type { HotMarket } from '../../../src/core/alerts/alert-store.ts';
import { sumWords } from '../../../src/core/alerts/describe-alert.ts';
import { windowWords } from '../../../src/core/alerts/figures/window-words.ts';
import { ago, oneLine, timeSpan, utcMinute } from '../../../src/core/base/text/formats.ts';
import { DAY_MS, type EpochMs } from '../../../src/core/base/time/duration.ts';
import { NOTHING_MEASURED } from '../../../src/core/record/conclusion.ts';
import type { RecordReport } from '../../../src/core/record/record-report.ts';
import { CAUSE_WORDS } from '../../../src/core/trades/coverage/blind-window.ts';
import type { CoverageSummary, FeedView } from '../../../src/core/trades/coverage/coverage-report.ts';
import { marketAddress } from '../../../src/core/trades/other-sites.ts';
import { type Paragraph, plainScreen, type Screen } from '../screen.ts';
import { ABOUT_ALERTS_BUTTON, LAST_ALERTS_BUTTON, MENU_BUTTONS } from './buttons.ts';
import { type ConversationDeps, chatCommand, type Feature } from './feature.ts';
import { alertDelay } from './last-alerts.ts';
import { delayWords } from './words.ts';

const SHOWN = 5;
const WINDOWS = [
  { windowMs: DAY_MS, length: '24 hours' },
  { windowMs: 7 * DAY_MS, length: '7 days' },
  { windowMs: 30 * DAY_MS, length: '30 days' },
] as const;

export function hotMarkets(deps: ConversationDeps): Feature {
  return {
    commands: [chatCommand('hot', 'The markets with the most bets')],
    steps: {
      async hot({ customer }) {
        const delayMs = await alertDelay(customer, deps);
        const late = delayWords(delayMs);
        for (const { windowMs, length } of WINDOWS) {
          const { mostAlerts: shown, until } = await deps.figures.hotMarkets(
            { windowMs, delayMs, isPerBet: true },
            SHOWN,
          );
          const words = windowWords(length, { until, now: deps.clock.now() });
          if (shown.length > 0) return hotScreen(`${words}, ${late}`, shown.map(marketLine));
        }
        return hotScreen(`last 30 days, ${late}`, [['It was quiet: no bets.']]);
      },
    },
  };
}

function hotScreen(window: string, body: readonly Paragraph[]): Screen {
  return plainScreen(
    'hot_markets',
    [[{ bold: `Hot markets, ${window}` }], ...body],
    [[LAST_ALERTS_BUTTON, MENU_BUTTONS]],
  );
}

function marketLine(market: HotMarket): Paragraph {
  const { eventTitle, alertCount, totalUsdc, avgScore } = market;
  return [
    { link: marketAddress(market), text: oneLine(eventTitle) },
    `\n${sumWords(alertCount, totalUsdc)}`,
    `, average score ${Math.round(avgScore)} of 100`,
  ];
}

/** What the record concludes. */
export function trackRecord(deps: ConversationDeps): Feature {
  return {
    commands: [chatCommand('record', 'How often alerts were right')],
    steps: {
      async record() {
        const stored = await deps.records.get();
        return plainScreen(
          'record',
          [
            [{ bold: 'How often alerts were right' }],
            ...recordWords(stored?.report ?? null),
            'Alerts on one market settle together: count them as one.',
          ],
          [[ABOUT_ALERTS_BUTTON], [LAST_ALERTS_BUTTON, MENU_BUTTONS]],
        );
      },
    },
  };
}

/** The sentences of the record. */
export function recordWords(report: RecordReport | null): readonly string[] {
  if (report === null) return [NOTHING_MEASURED];
  return report.results === null ? [report.conclusion] : [report.conclusion, report.results];
}

/** Whether the service sees the market: the state of the feed, its age, and the share of a day that it saw. */
export function serviceStatus(deps: ConversationDeps): Feature {
  const { feed, alerts, clock } = deps;

  async function feedLines(now: EpochMs): Promise<readonly string[]> {
    if (!feed.isLive) return ['This service shows recorded trades: it does not watch the live market.'];
    const [view, day] = await Promise.all([
      feed.report.view(),
      feed.report.summarise({ since: now - DAY_MS, until: now, limit: 1 }),
    ]);
    const { confirmedUntil } = view;
    return [
      stateWords(view),
      ...(confirmedUntil === null ? [] : [`Trades are known up to ${timeSpan(now - confirmedUntil)} ago.`]),
      ...coverageLine(day),
    ];
  }

  return {
    commands: [chatCommand('status', 'Whether market trades are arriving, now and over the last 24 hours')],
    steps: {
      async status({ customer }) {
        const now = clock.now();
        const delayMs = await alertDelay(customer, deps);
        const until = delayMs === 0 ? {} : { until: now - delayMs };
        const [lines, [newest]] = await Promise.all([feedLines(now), alerts.latest({ limit: 1, ...until })]);
        const alertLine =
          newest === undefined
            ? 'There are no alerts yet.'
            : `Newest alert: alert ${newest.id}, ${ago(newest.createdAt, now)}.`;
        const body = [[{ bold: 'Status' }, ` at ${utcMinute(now)}`], lines.join('\n'), alertLine];
        return plainScreen('status', body, [[LAST_ALERTS_BUTTON, MENU_BUTTONS]]);
      },
    },
  };
}

function stateWords({ state, open, reason }: FeedView): string {
  const why = reason === null ? '' : ` ${CAUSE_WORDS[reason]}`;
  switch (state) {
    case 'live':
      return 'The feed sees every trade.';
    case 'catching_up':
      return 'The feed sees every trade, and is catching up on those it missed.';
    case 'unconfirmed':
      return `The feed sees trades, but cannot confirm that it has seen all of them${since(open)}.${why}`;
    case 'blind':
      return `The feed has seen no trades${since(open)}.${why}`;
    case 'unknown':
      return `The feed has not seen any trade yet.${why}`;
  }
}

function since(open: FeedView['open']): string {
  return open === null ? '' : ` since ${utcMinute(open.startedAt)}`;
}

/** Rounded down, so that a gap never reads as 100%. */
function coverageLine({ watchedMs, unfilledMs }: CoverageSummary): readonly string[] {
  if (watchedMs === 0) return [];
  const share = Math.floor((1 - Math.min(1, unfilledMs / watchedMs)) * 1_000) / 10;
  return [`It saw ${share}% of the last 24 hours, or of the time since it first started.`];
}
