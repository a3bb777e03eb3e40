import type { AlertFilter, AlertPreview, AlertStats, AlertStore, HotMarkets } from '../alerts/alert-store.ts';
import type { Category } from '../category.ts';
import type { Clock } from '../clock.ts';
import { DAY_MS } from '../duration.ts';
import type { EpochMs } from '../trade.ts';
import type { ArchiveScheduler, ScheduleRead } from './archive-scheduler.ts';
import { createSwrCache } from './swr-cache.ts';

/** The longest of the leaderboards (contract, GET /hot-markets). */
export const HOT_MARKETS_MAX = 25;
/** A filter is tried on this many days. */
export const PREVIEW_DAYS = 30;
const PREVIEW_NEWEST = 3;
/** Five windows, each with every category and with all of them, for two delays, are 80; half of a capacity is sure to be kept. */
const HOT_CACHE_SIZE = 200;
const STATS_CACHE_SIZE = 8;
const PREVIEW_CACHE_SIZE = 200;

/** A preview with the window it is of. */
export interface WindowPreview extends AlertPreview {
  readonly since: EpochMs;
  readonly until: EpochMs;
}

/**
 * Figures over many alerts, each up to 10 s old (`createSwrCache`). An answer is the same object until it is made anew.
 * Alerts younger than `delayMs` are in none of them; it is a part of the question, so callers with different delays
 * never share an answer. 0 is real time. What is not kept is read in the caller's schedule.
 */
export interface Figures {
  /** The `windowMs` up to `delayMs` before now. All three lists with up to 25 markets; a shorter list is its beginning. */
  hotMarkets(
    query: { windowMs: number; delayMs: number; category?: Category },
    schedule: ScheduleRead,
  ): Promise<HotMarkets>;
  /** "Today" is the UTC day of the clock, whatever the delay: at midnight another day's figures are asked for. */
  stats(query: { delayMs: number }, schedule: ScheduleRead): Promise<AlertStats>;
  /** A filter's matches of the last 30 days up to `delayMs` before now; its own `since` and `until` only narrow that. */
  preview(filter: AlertFilter, options: { delayMs: number }, schedule: ScheduleRead): Promise<WindowPreview>;
}

/** Where figures come from. */
export interface FiguresDeps {
  readonly alerts: Pick<AlertStore, 'byId' | 'hotMarkets' | 'stats' | 'preview'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly archive: Pick<ArchiveScheduler, 'refresh'>;
}

/** Asks the store, and not again for what was asked a moment ago. */
export function createFigures({ alerts, clock, archive }: FiguresDeps): Figures {
  const { refresh } = archive;
  const hot = createSwrCache<HotMarkets>({ clock, capacity: HOT_CACHE_SIZE, refresh });
  const stats = createSwrCache<AlertStats>({ clock, capacity: STATS_CACHE_SIZE, refresh });
  const previews = createSwrCache<WindowPreview>({ clock, capacity: PREVIEW_CACHE_SIZE, refresh });
  /** In real time no bound: on a replay an alert may be ahead of the clock. */
  const visible = (delayMs: number) => (delayMs === 0 ? {} : { until: clock.now() - delayMs });
  return {
    hotMarkets({ windowMs, delayMs, ...of }, schedule) {
      const make = () => {
        const since = clock.now() - delayMs - windowMs;
        return alerts.hotMarkets({ since, ...visible(delayMs), limit: HOT_MARKETS_MAX, ...of });
      };
      return hot.get(JSON.stringify([windowMs, delayMs, of.category]), make, schedule);
    },
    stats({ delayMs }, schedule) {
      const now = clock.now();
      const dayStart = now - (now % DAY_MS);
      const make = () => alerts.stats({ dayStart, ...visible(delayMs) });
      return stats.get(JSON.stringify([dayStart, delayMs]), make, schedule);
    },
    preview(filter, { delayMs }, schedule) {
      const question = JSON.stringify([delayMs, Object.entries(filter).toSorted(byName)]);
      const make = async () => {
        const first = await alerts.byId(1);
        const window = windowOf(filter, { first: first?.createdAt, end: clock.now() - delayMs });
        const preview = await alerts.preview({ ...filter, ...window }, { newest: PREVIEW_NEWEST });
        return { ...preview, ...window };
      };
      return previews.get(question, make, schedule);
    },
  };
}

/** Days before the first alert of all say nothing about how many come in a day. */
function windowOf(
  { since, until }: Pick<AlertFilter, 'since' | 'until'>,
  { first = 0, end }: { first?: EpochMs | undefined; end: EpochMs },
) {
  const start = Math.max(first, end - PREVIEW_DAYS * DAY_MS);
  return { since: Math.max(start, since ?? start), until: Math.min(end, until ?? end) };
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
