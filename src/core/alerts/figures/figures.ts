import type { Clock } from '../../base/time/clock.ts';
import { DAY_MS, type EpochMs } from '../../base/time/duration.ts';
import { CATEGORIES, type Category } from '../../trades/trade.ts';
import type { AlertFilter, AlertPreview, AlertStats, AlertStore, HotMarkets } from '../alert-store.ts';

/** Markets in the longest leaderboard (contract, GET /hot-markets). */
export const HOT_MARKETS_MAX = 25;
/** Days that a preview covers. */
export const PREVIEW_DAYS = 30;
const PREVIEW_NEWEST = 3;

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
  /** Whether trades come from a tape, whose dates may be its own. Default: false. */
  readonly isTape?: boolean;
}

/** What a caller may know: alerts of an age, in milliseconds; 0 is real time. */
interface Asker {
  readonly delayMs: number;
}

/** Figures over many alerts, as of the moment of their reader. */
export class Figures {
  readonly #alerts: FiguresOptions['alerts'];
  readonly #clock: Pick<Clock, 'now'>;
  readonly #isTape: boolean;

  constructor({ alerts, clock, isTape = false }: FiguresOptions) {
    this.#isTape = isTape;
    this.#alerts = alerts;
    this.#clock = clock;
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

  /** The `windowMs` before `delayMs` ago (`windowEnd`). `isPerBet`: bets are counted instead of alerts. */
  async hotMarkets(
    {
      windowMs,
      delayMs,
      ...of
    }: Pick<AlertFilter, 'isPerBet' | 'category'> & Asker & { readonly windowMs: number },
    limit: number,
  ): Promise<WindowHotMarkets> {
    const until = await this.windowEnd(this.#clock.now() - delayMs);
    const window = { since: until - windowMs, ...this.#bound(delayMs) };
    return { ...(await this.#alerts.hotMarkets({ ...window, ...of }, limit)), until };
  }

  /** "Today" is the UTC day of the clock, whatever the delay: at midnight it starts from 0. */
  stats({ delayMs }: Asker): Promise<AlertStats> {
    const now = this.#clock.now();
    const { until } = this.#bound(delayMs);
    return this.#alerts.stats({ dayStart: now - (now % DAY_MS), ...(until !== undefined && { until }) });
  }

  /** The bets of each category in the 30 days before `delayMs` ago (`windowEnd`). */
  async betCounts({ delayMs }: Asker): Promise<BetCounts> {
    const end = await this.windowEnd(this.#clock.now() - delayMs);
    const filter = { since: end - PREVIEW_DAYS * DAY_MS, ...this.#bound(delayMs), isPerBet: true };
    const countOf = async (category: Category) => {
      const { total } = await this.#alerts.search({ ...filter, category }, { page: 1, pageSize: 0 });
      return [category, total] as const;
    };
    return Object.fromEntries(await Promise.all(CATEGORIES.map(countOf))) as BetCounts;
  }

  /** The matches of a filter in the 30 days before `delayMs` ago (`windowEnd`). `since` and `until` of the filter narrow that window. */
  async preview(filter: AlertFilter, { delayMs }: Asker): Promise<WindowPreview> {
    const first = await this.#alerts.byId(1);
    const end = await this.windowEnd(this.#clock.now() - delayMs);
    const window = windowOf(filter, { first: first?.createdAt, end });
    const { asOf } = this.#bound(delayMs);
    const asked = { ...filter, ...window, ...(asOf !== undefined && { asOf }) };
    return { ...(await this.#alerts.preview(asked, { newest: PREVIEW_NEWEST })), ...window };
  }

  /** Real time has no bound: in a replay alerts may be ahead of the clock. */
  #bound(delayMs: number): Pick<AlertFilter, 'until' | 'asOf'> {
    if (delayMs === 0) return {};
    const until = this.#clock.now() - delayMs;
    return { until, asOf: until };
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
