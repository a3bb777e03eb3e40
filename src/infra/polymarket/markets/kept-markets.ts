import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../core/clock.ts';
import type { LiveRow } from '../../../core/ports/source.ts';
import type { EpochMs } from '../../../core/trade.ts';

/** Markets kept: more than are traded in a day; about 40 MB of heap. */
const MOST_KEPT = 20_000;

interface Kept {
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

export type KeptMarkets = ReturnType<typeof createKeptMarkets>;

/** What was last said of markets, and which were traded since. */
export function createKeptMarkets(clock: Pick<Clock, 'now'>) {
  const markets = new LRUCache<string, Kept>({ max: MOST_KEPT });

  function keep(marketId: string, change: Partial<Kept>): void {
    const kept = markets.get(marketId) ?? newMarket(clock.now());
    markets.set(marketId, Object.assign(kept, change));
  }

  return {
    get: (marketId: string): LiveRow | null => markets.peek(marketId)?.live ?? null,
    /** The same where it was said (or asked for) at or after the moment. */
    since(marketId: string, moment: EpochMs): LiveRow | null {
      const kept = markets.peek(marketId);
      return kept !== undefined && kept.askedAt >= moment ? kept.live : null;
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

function newMarket(now: EpochMs): Kept {
  return { live: null, askedAt: now, isTouched: false, touchedAt: null, isMissing: false };
}
