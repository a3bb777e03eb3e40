import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../../core/base/time/clock.ts';
import type { EpochMs } from '../../../../core/base/time/duration.ts';
import type { LiveRow } from '../../../../core/trades/source/source.ts';

/** Markets kept: more than are traded in a day; about 40 MB of heap. */
const MARKETS_MAX = 20_000;

interface CachedMarket {
  /** Null: traded, and not described yet. */
  live: LiveRow | null;
  askedAt: EpochMs;
  /** Traded since it was last asked for. */
  isTouched: boolean;
  /** Time of its last trade here; null before the first. */
  touchedAt: EpochMs | null;
  /** The last question got no answer. */
  isMissing: boolean;
}

/** The last description of each market, and which markets were traded since. */
export class MarketCache {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #markets = new LRUCache<string, CachedMarket>({ max: MARKETS_MAX });

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** Null without a description. */
  get(marketId: string): LiveRow | null {
    return this.#markets.peek(marketId)?.live ?? null;
  }

  /** The description, if the market was described (or asked for) at or after the moment. */
  since(marketId: string, moment: EpochMs): LiveRow | null {
    const cached = this.#markets.peek(marketId);
    return cached !== undefined && cached.askedAt >= moment ? cached.live : null;
  }

  put(marketId: string, live: LiveRow): void {
    this.#keep(marketId, { live, askedAt: this.#clock.now(), isTouched: false, isMissing: false });
  }

  /** The market was traded. */
  touch(marketId: string): void {
    this.#keep(marketId, { isTouched: true, touchedAt: this.#clock.now() });
  }

  /** The market is being asked for: whatever the answer, it is not due again before its time. */
  asked(marketId: string): void {
    this.#keep(marketId, { askedAt: this.#clock.now(), isTouched: false });
  }

  /** The market was asked for, and is unknown. */
  missed(marketId: string): void {
    this.#keep(marketId, { isMissing: true });
  }

  /** Number of the markets that were traded at or after the moment, asked for, and are not described. */
  undescribed(since: EpochMs): number {
    const markets = [...this.#markets.values()];
    return markets.filter(
      ({ live, isMissing, touchedAt }) =>
        live === null && isMissing && touchedAt !== null && touchedAt >= since,
    ).length;
  }

  /** Markets that were last asked for at or before the moment and traded since, the longest ago first. */
  due(before: EpochMs): readonly string[] {
    return [...this.#markets.entries()]
      .filter(([, { isTouched, askedAt }]) => isTouched && askedAt <= before)
      .sort(([, a], [, b]) => a.askedAt - b.askedAt)
      .map(([id]) => id);
  }

  #keep(marketId: string, change: Partial<CachedMarket>): void {
    const cached = this.#markets.get(marketId) ?? newMarket(this.#clock.now());
    this.#markets.set(marketId, Object.assign(cached, change));
  }
}

function newMarket(now: EpochMs): CachedMarket {
  return { live: null, askedAt: now, isTouched: false, touchedAt: null, isMissing: false };
}
