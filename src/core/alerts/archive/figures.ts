import { LRUCache } from 'lru-cache';
import type { Clock } from '../../base/time/clock.ts';
import { DAY_MS, type EpochMs } from '../../base/time/duration.ts';
import { CATEGORIES, type Category } from '../../trades/trade.ts';
import type { AlertFilter, AlertPreview, AlertStats, AlertStore, HotMarkets } from '../alert-store.ts';
import type { ArchiveScheduler, ScheduleRead } from './archive-scheduler.ts';

/** Markets in the longest leaderboard (contract, GET /hot-markets). */
export const HOT_MARKETS_MAX = 25;
/** Days that a preview covers. */
export const PREVIEW_DAYS = 30;
const PREVIEW_NEWEST = 3;
/** Five windows, each for every category and for all of them, and two delays make 80 questions. */
const HOT_CACHE_SIZE = 200;
const STATS_CACHE_SIZE = 8;
const COUNTS_CACHE_SIZE = 8;
const PREVIEW_CACHE_SIZE = 200;

/** A preview and its window. */
export interface WindowPreview extends AlertPreview {
  readonly since: EpochMs;
  readonly until: EpochMs;
}

/** Hot markets, and the end of their window. */
export interface WindowHotMarkets extends HotMarkets {
  readonly until: EpochMs;
}

/** The bets of each category in a window. */
export type BetCounts = Readonly<Record<Category, number>>;

interface FiguresOptions {
  readonly alerts: Pick<AlertStore, 'byId' | 'latest' | 'hotMarkets' | 'search' | 'stats' | 'preview'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly archive: Pick<ArchiveScheduler, 'refresh'>;
  /** Whether trades come from a tape, whose dates may be its own. Default: false. */
  readonly isTape?: boolean;
}

/**
 * Figures over many alerts, each up to 10 s old (`SwrCache`); the same object until it is refreshed. None of them includes alerts
 * younger than `delayMs` (0: real time), and callers with different delays never share an answer. What is not cached is read in
 * the caller's schedule.
 */
export class Figures {
  readonly #alerts: FiguresOptions['alerts'];
  readonly #clock: Pick<Clock, 'now'>;
  readonly #isTape: boolean;
  readonly #hotMarkets: SwrCache<WindowHotMarkets>;
  readonly #stats: SwrCache<AlertStats>;
  readonly #previews: SwrCache<WindowPreview>;
  readonly #betCounts: SwrCache<BetCounts>;

  constructor({ alerts, clock, archive: { refresh }, isTape = false }: FiguresOptions) {
    this.#isTape = isTape;
    this.#alerts = alerts;
    this.#clock = clock;
    this.#hotMarkets = new SwrCache(clock, HOT_CACHE_SIZE, refresh.figures);
    this.#stats = new SwrCache(clock, STATS_CACHE_SIZE, refresh.figures);
    this.#previews = new SwrCache(clock, PREVIEW_CACHE_SIZE, refresh.searches);
    this.#betCounts = new SwrCache(clock, COUNTS_CACHE_SIZE, refresh.figures);
  }

  /**
   * Where a window of hours or days ends for a reader who sees alerts until a moment: there. With a tape it ends at the newest of
   * these alerts, if none followed for a day, because a tape may have ended or have dates of its own.
   */
  async windowEnd(until: EpochMs): Promise<EpochMs> {
    if (!this.#isTape) return until;
    const [newest] = await this.#alerts.latest({ limit: 1, until });
    return newest !== undefined && newest.createdAt < until - DAY_MS ? newest.createdAt : until;
  }

  /**
   * The `windowMs` before `delayMs` ago (`windowEnd`). All three lists have up to 25 markets; a shorter list is their beginning.
   * `isPerBet`: bets are counted instead of alerts.
   */
  hotMarkets(
    {
      windowMs,
      delayMs,
      ...of
    }: Pick<AlertFilter, 'isPerBet' | 'category'> & {
      windowMs: number;
      delayMs: number;
    },
    schedule: ScheduleRead,
  ): Promise<WindowHotMarkets> {
    const make = async () => {
      const until = await this.windowEnd(this.#clock.now() - delayMs);
      const window = { since: until - windowMs, ...this.#until(delayMs) };
      const hot = await this.#alerts.hotMarkets({ ...window, limit: HOT_MARKETS_MAX, ...of });
      return { ...hot, until };
    };
    return this.#hotMarkets.get(JSON.stringify([windowMs, delayMs, of]), make, schedule);
  }

  /** "Today" is the UTC day of the clock, whatever the delay: at midnight it starts from 0. */
  stats({ delayMs }: { delayMs: number }, schedule: ScheduleRead): Promise<AlertStats> {
    const now = this.#clock.now();
    const dayStart = now - (now % DAY_MS);
    const make = () => this.#alerts.stats({ dayStart, ...this.#until(delayMs) });
    return this.#stats.get(JSON.stringify([dayStart, delayMs]), make, schedule);
  }

  /** The bets of each category in the 30 days before `delayMs` ago (`windowEnd`). */
  betCounts({ delayMs }: { delayMs: number }, schedule: ScheduleRead): Promise<BetCounts> {
    const make = async () => {
      const end = await this.windowEnd(this.#clock.now() - delayMs);
      const filter = { since: end - PREVIEW_DAYS * DAY_MS, ...this.#until(delayMs), isPerBet: true };
      const countOf = async (category: Category) => {
        const { total } = await this.#alerts.search({ ...filter, category }, { page: 1, pageSize: 0 });
        return [category, total] as const;
      };
      return Object.fromEntries(await Promise.all(CATEGORIES.map(countOf))) as BetCounts;
    };
    return this.#betCounts.get(JSON.stringify(delayMs), make, schedule);
  }

  /** The matches of a filter in the 30 days before `delayMs` ago (`windowEnd`). `since` and `until` of the filter narrow that window. */
  preview(
    filter: AlertFilter,
    { delayMs }: { delayMs: number },
    schedule: ScheduleRead,
  ): Promise<WindowPreview> {
    const question = JSON.stringify([delayMs, Object.entries(filter).toSorted(byName)]);
    const make = async () => {
      const first = await this.#alerts.byId(1);
      const end = await this.windowEnd(this.#clock.now() - delayMs);
      const window = windowOf(filter, { first: first?.createdAt, end });
      const preview = await this.#alerts.preview({ ...filter, ...window }, { newest: PREVIEW_NEWEST });
      return { ...preview, ...window };
    };
    return this.#previews.get(question, make, schedule);
  }

  /** Real time has no bound: in a replay alerts may be ahead of the clock. */
  #until(delayMs: number) {
    return delayMs === 0 ? {} : { until: this.#clock.now() - delayMs };
  }
}

/**
 * The window starts with the very first alert: days before it would distort the mean per day. It is empty while no alert is
 * old enough for this caller.
 */
function windowOf(
  { since, until }: Pick<AlertFilter, 'since' | 'until'>,
  { first = 0, end }: { first?: EpochMs | undefined; end: EpochMs },
) {
  const start = Math.min(end, Math.max(first, end - PREVIEW_DAYS * DAY_MS));
  return { since: Math.max(start, since ?? start), until: Math.min(end, until ?? end) };
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

/** Up to this age, in milliseconds, an answer is returned without a refresh. */
export const FRESH_MS = 2_000;
/** Up to this age an answer is returned while it is refreshed. Older ones are not returned. */
export const STALE_MS = 10_000;

type Make<Answer> = () => Promise<Answer>;

interface Entry<Answer> {
  cached: { readonly answer: Answer; readonly at: number } | null;
  pending: Promise<Answer> | null;
  isRefreshing: boolean;
}

/** A cache of expensive answers that may be a few seconds old (stale-while-revalidate). */
export class SwrCache<Answer> {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #refresh: ScheduleRead;
  readonly #entries: LRUCache<string, Entry<Answer>>;

  /**
   * `capacity`: answers kept, 2 or more; the least recently used are evicted first. `refresh` schedules refreshes: no caller
   * is charged for them.
   */
  constructor(clock: Pick<Clock, 'now'>, capacity: number, refresh: ScheduleRead) {
    this.#clock = clock;
    this.#refresh = refresh;
    this.#entries = new LRUCache({ max: capacity });
  }

  /**
   * An answer not older than 10 s; the same object until it is refreshed. Callers share a running computation, which the time
   * limits of its database calls end. If none is running, each waits in its own schedule and the first in turn computes the
   * answer, so a caller that is refused or disconnects does not affect the others. Rejects if there is no answer and it cannot be
   * computed. A failed refresh is retried with the next call.
   */
  async get(question: string, make: Make<Answer>, schedule: ScheduleRead): Promise<Answer> {
    const entry = this.#entries.get(question) ?? { cached: null, pending: null, isRefreshing: false };
    this.#entries.set(question, entry);
    return this.#ready(entry, make) ?? schedule(() => this.#ready(entry, make) ?? this.#compute(entry, make));
  }

  /** An answer that this call need not compute; null if there is none. */
  #ready(entry: Entry<Answer>, make: Make<Answer>): Promise<Answer> | null {
    const { cached, pending } = entry;
    const age = this.#ageOf(entry);
    if (cached === null || age > STALE_MS) return pending;
    if (age > FRESH_MS) this.#refreshLater(entry, make);
    return Promise.resolve(cached.answer);
  }

  #refreshLater(entry: Entry<Answer>, make: Make<Answer>): void {
    if (entry.isRefreshing || entry.pending !== null) return;
    entry.isRefreshing = true;
    this.#refresh(async () => {
      entry.isRefreshing = false;
      if (this.#ageOf(entry) > FRESH_MS) await (entry.pending ?? this.#compute(entry, make));
    }).catch(() => {
      entry.isRefreshing = false;
    });
  }

  #compute(entry: Entry<Answer>, make: Make<Answer>): Promise<Answer> {
    const at = this.#clock.now();
    entry.pending = make()
      .then((answer) => {
        entry.cached = { answer, at };
        return answer;
      })
      .finally(() => {
        entry.pending = null;
      });
    return entry.pending;
  }

  /** A clock that was set back must not make an answer look younger. */
  #ageOf({ cached }: Entry<Answer>): number {
    return cached === null ? Number.POSITIVE_INFINITY : Math.abs(this.#clock.now() - cached.at);
  }
}
