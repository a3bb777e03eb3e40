import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../core/clock.ts';
import type { LiveRow } from '../../../core/ports/source.ts';
import type { EpochMs } from '../../../core/trade.ts';

/** Markets kept: more than are traded in a day; about 40 MB of heap. */
const MOST_KEPT = 20_000;

interface Kept {
  /** Null: traded, and not described here yet. */
  readonly live: LiveRow | null;
  readonly askedAt: EpochMs;
  readonly isTouched: boolean;
}

export type KeptMarkets = ReturnType<typeof createKeptMarkets>;

/** What was last said of markets, and which were traded since. */
export function createKeptMarkets(clock: Pick<Clock, 'now'>) {
  const markets = new LRUCache<string, Kept>({ max: MOST_KEPT });
  return {
    get: (marketId: string): LiveRow | null => markets.peek(marketId)?.live ?? null,
    /** The same where it was said (or asked for) at or after the moment. */
    since(marketId: string, moment: EpochMs): LiveRow | null {
      const kept = markets.peek(marketId);
      return kept !== undefined && kept.askedAt >= moment ? kept.live : null;
    },
    put(marketId: string, live: LiveRow): void {
      markets.set(marketId, { live, askedAt: clock.now(), isTouched: false });
    },
    touch(marketId: string): void {
      const kept = markets.get(marketId);
      if (kept?.isTouched === true) return;
      markets.set(marketId, { live: null, askedAt: clock.now(), ...kept, isTouched: true });
    },
    /** The market is being asked for: it is not due again before its time, whatever comes of it. */
    asked(marketId: string): void {
      markets.set(marketId, {
        live: markets.peek(marketId)?.live ?? null,
        askedAt: clock.now(),
        isTouched: false,
      });
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
