import { ago, utcMinute } from '../../../src/core/base/text/formats.ts';
import { DAY_MS, type EpochMs, MINUTE_MS, SECOND_MS } from '../../../src/core/base/time/duration.ts';
import { CAUSE_WORDS } from '../../../src/core/trades/coverage/blind-window.ts';
import type { CoverageSummary, FeedView } from '../../../src/core/trades/coverage/coverage-report.ts';
import { plainScreen } from '../plain-screen.ts';
import { LAST_ALERTS_BUTTON, MENU_BUTTONS } from './buttons.ts';
import { type ConversationDeps, command, type Feature } from './feature.ts';
import { alertDelay } from './last-alerts.ts';

/** Whether the service sees the market: the state of the feed, its age, and the share of a day that it saw. */
export function serviceStatus(
  deps: Pick<ConversationDeps, 'feed' | 'alerts' | 'customers' | 'clock' | 'freeDelayMs'>,
): Feature {
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
      ...(confirmedUntil === null ? [] : [`Trades are known up to ${ageWords(now - confirmedUntil)} ago.`]),
      ...coverageLine(day),
    ];
  }

  return {
    commands: [command('status', 'Whether I see the market right now')],
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
      return 'The feed sees every trade, and is reading those it missed.';
    case 'unconfirmed':
      return `The feed sees trades, but cannot confirm that it sees all of them${since(open)}.${why}`;
    case 'blind':
      return `The feed has seen no trades${since(open)}.${why}`;
    case 'unknown':
      return `The feed has not seen any trade yet.${why}`;
  }
}

function since(open: FeedView['open']): string {
  return open === null ? '' : ` since ${utcMinute(open.startedAt)}`;
}

/** Rounded down, so that a gap never reads as 100 %. */
function coverageLine({ watchedMs, unfilledMs }: CoverageSummary): readonly string[] {
  if (watchedMs === 0) return [];
  const share = Math.floor((1 - Math.min(1, unfilledMs / watchedMs)) * 1_000) / 10;
  return [`It saw ${share} % of the last 24 hours, or of the time since it was first started.`];
}

function ageWords(ms: number): string {
  if (ms < 2 * MINUTE_MS) return `${Math.max(0, Math.round(ms / SECOND_MS))} s`;
  return ms < 2 * 60 * MINUTE_MS
    ? `${Math.floor(ms / MINUTE_MS)} min`
    : `${Math.floor(ms / (60 * MINUTE_MS))} h`;
}
