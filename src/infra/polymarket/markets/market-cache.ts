import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../core/clock.ts';
import type { LiveRow } from '../../../core/source/source.ts';
import type { EpochMs } from '../../../core/trade.ts';

/** Markets kept: more than are traded in a day; about 40 MB of heap. */
const MARKETS_MAX = 20_000;

interface CachedMarket {
  /** Null: traded, and not described here yet. */
  live: LiveRow | null;
  askedAt: EpochMs;
  /** Traded since it was asked for. */
  isTouched: boolean;
  /** When it was traded last; null before the first time. */
  touchedAt: EpochMs | null;
  /** It was asked for last without an answer. */
  isMissing: boolean;
}

/** Of the markets that were traded lately and asked for: all, and those that are not described. */
export interface DescribedShare {
  readonly asked: number;
  readonly undescribed: number;
}

export type MarketCache = ReturnType<typeof createMarketCache>;

/** What was last said of markets, and which were traded since. */
export function createMarketCache(clock: Pick<Clock, 'now'>) {
  const markets = new LRUCache<string, CachedMarket>({ max: MARKETS_MAX });

  function keep(marketId: string, change: Partial<CachedMarket>): void {
    const cache = markets.get(marketId) ?? newMarket(clock.now());
    markets.set(marketId, Object.assign(cache, change));
  }

  return {
    get: (marketId: string): LiveRow | null => markets.peek(marketId)?.live ?? null,
    /** The same where it was said (or asked for) at or after the moment. */
    since(marketId: string, moment: EpochMs): LiveRow | null {
      const cache = markets.peek(marketId);
      return cache !== undefined && cache.askedAt >= moment ? cache.live : null;
    },
    put(marketId: string, live: LiveRow): void {
      keep(marketId, { live, askedAt: clock.now(), isTouched: false, isMissing: false });
    },
    touch(marketId: string): void {
      keep(marketId, { isTouched: true, touchedAt: clock.now() });
    },
    /** The market is being asked for: it is not due again before its time, whatever comes of it. */
    asked(marketId: string): void {
      keep(marketId, { askedAt: clock.now(), isTouched: false });
    },
    /** It was asked for, and there was no answer. */
    missed(marketId: string): void {
      keep(marketId, { isMissing: true });
    },
    /** Of those that were traded at or after the moment. */
    described(since: EpochMs): DescribedShare {
      const traded = [...markets.values()].filter(
        ({ touchedAt }) => touchedAt !== null && touchedAt >= since,
      );
      const undescribed = traded.filter(({ live, isMissing }) => live === null && isMissing).length;
      const described = traded.filter(({ live }) => live !== null).length;
      return { asked: described + undescribed, undescribed };
    },
    /** Those traded since, and last asked for before the moment; the longest ago first. */
    due(before: EpochMs): readonly string[] {
      return [...markets.entries()]
        .filter(([, { isTouched, askedAt }]) => isTouched && askedAt <= before)
        .sort(([, a], [, b]) => a.askedAt - b.askedAt)
        .map(([id]) => id);
    },
  };
}

function newMarket(now: EpochMs): CachedMarket {
  return { live: null, askedAt: now, isTouched: false, touchedAt: null, isMissing: false };
}
