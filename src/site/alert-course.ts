import type { Alert } from '../core/alerts/alert.ts';
import type { PriceChart } from '../core/alerts/charts/price-chart.ts';
import type { Exit } from '../core/alerts/exits/exit.ts';
import type { ThreadExits } from '../core/alerts/exits/exit-reader.ts';
import { DAY_MS, type EpochMs } from '../core/base/time/duration.ts';
import type { ServerDeps } from '../http/server-deps.ts';
import { chartOf, type MarketLine, marketPriceLine } from './alert-prices.ts';
import type { SitePart } from './site.ts';

/** What became of an alert, as far as it was known at a moment. */
export interface AlertCourse {
  /** The newest alerts of its position that are visible, oldest first, itself among them. */
  readonly thread: readonly Alert[];
  /** The last of them, which states the bet. */
  readonly newest: Alert;
  readonly position: ThreadExits;
  /** The last exit; null without one. */
  readonly exit: Exit | null;
  /** Null where the market is not watched. */
  readonly watched: MarketLine | null;
  readonly chart: PriceChart | null;
}

const THREAD_MAX = 20;
const SHOWN_BEFORE_MS = DAY_MS;

/** For its page and its picture. */
export async function readCourse(
  alert: Alert,
  { deps, site }: Pick<SitePart, 'deps' | 'site'>,
  until: EpochMs,
): Promise<AlertCourse> {
  const thread = await visibleThread(deps.alerts, alert, until);
  const [watched, position] = await Promise.all([
    marketPriceLine(site.prices, alert, { until, from: firstShown(thread) }),
    deps.exits.ofAlert(alert, until),
  ]);
  // What the page says of the result is as new as its alert.
  const newest = { ...(thread.at(-1) ?? alert), resolution: alert.resolution };
  const exit = position.exits.at(-1) ?? null;
  const known = { thread, newest, position, exit, watched };
  if (watched === null) return { ...known, chart: null };
  const others = thread.filter(({ id }) => id !== alert.id);
  const chart = chartOf(watched, [alert, ...others], {
    mainId: alert.id,
    exits: position.exits,
    payout: alert.resolution?.payout ?? null,
  });
  return { ...known, chart };
}

function firstShown(thread: readonly Alert[]): EpochMs {
  return Math.min(...thread.map(({ tradedAt }) => tradedAt)) - SHOWN_BEFORE_MS;
}

async function visibleThread(
  alerts: Pick<ServerDeps['alerts'], 'byId' | 'thread'>,
  alert: Alert,
  until: EpochMs,
): Promise<readonly Alert[]> {
  const ids = await alerts.thread(alert);
  const found = [alert];
  for (const id of ids.toReversed()) {
    if (found.length === THREAD_MAX) break;
    const other = id === alert.id ? null : await alerts.byId(id);
    if (other !== null && other.createdAt <= until) found.push(other);
  }
  return found.sort((a, b) => a.id - b.id);
}
