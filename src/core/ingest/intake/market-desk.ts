import { backoffMs } from '../../backoff.ts';
import type { Clock } from '../../clock.ts';
import { MINUTE_MS, SECOND_MS } from '../../duration.ts';
import type { Logger } from '../../ports/logger.ts';
import type { MarketSource } from '../../ports/market-source.ts';
import type { LiveRow } from '../../ports/source.ts';
import { createRecentMap } from '../../recent-map.ts';
import type { EpochMs } from '../../trade.ts';

/** Questions are collected this long, up to so many, and asked together. */
const COLLECT_MS = 100;
const AT_ONCE = 20;
/** A trade describes its market well enough to be judged; its row makes it better, and is not waited for any longer. */
const PATIENCE_MS = MINUTE_MS;
/** A market that was not described is not waited for by the next trades either. */
const FORGET_MS = 10 * MINUTE_MS;
const REMEMBERED = 1_000;
const RETRY = { firstMs: SECOND_MS, mostMs: 15 * SECOND_MS };

/** Asks what markets are, each once for all who want it. */
export interface MarketDesk {
  /** The market's row; null when none came within a minute, or the signal aborted. Never rejects. */
  ask(marketId: string): Promise<LiveRow | null>;
}

/** What the desk stands on. */
export interface MarketDeskDeps {
  readonly markets: MarketSource;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
}

interface Asked {
  readonly row: Promise<LiveRow | null>;
  settle(row: LiveRow | null): void;
}

/** A desk with no questions, which ends with the signal. */
export function createMarketDesk(
  { markets, clock, random, logger }: MarketDeskDeps,
  signal: AbortSignal,
): MarketDesk {
  const asked = new Map<string, Asked>();
  const undescribed = createRecentMap<EpochMs>(REMEMBERED);
  let collected: string[] = [];

  function open(marketId: string): Asked {
    const { promise, resolve } = Promise.withResolvers<LiveRow | null>();
    const settled = new AbortController();
    const settle = (row: LiveRow | null) => {
      if (!asked.delete(marketId)) return;
      if (row === null) undescribed.set(marketId, clock.now());
      resolve(row);
      settled.abort();
    };
    const question = { row: promise, settle };
    asked.set(marketId, question);
    void clock.sleep(PATIENCE_MS, AbortSignal.any([signal, settled.signal])).then(() => settle(null));
    return question;
  }

  function collect(marketId: string): void {
    collected.push(marketId);
    if (collected.length >= AT_ONCE) send();
    else if (collected.length === 1) void clock.sleep(COLLECT_MS, signal).then(send);
  }

  function send(): void {
    const marketIds = collected;
    collected = [];
    if (marketIds.length > 0) void describe(marketIds);
  }

  async function describe(marketIds: readonly string[]): Promise<void> {
    for (let attempt = 1; !signal.aborted; attempt += 1) {
      const wanted = marketIds.filter((id) => asked.has(id));
      if (wanted.length === 0) return;
      await ask(wanted);
      if (wanted.some((id) => asked.has(id))) await clock.sleep(backoffMs(RETRY, attempt, random), signal);
    }
  }

  async function ask(marketIds: readonly string[]): Promise<void> {
    try {
      for (const found of await markets.describe(marketIds, signal))
        if (found.row.kind === 'market') asked.get(found.row.market.id)?.settle(found);
    } catch (error) {
      if (!signal.aborted) logger.debug({ err: error }, 'markets could not be described');
    }
  }

  return {
    ask(marketId) {
      const known = asked.get(marketId);
      if (known !== undefined) return known.row;
      if (signal.aborted || clock.now() - (undescribed.get(marketId) ?? -FORGET_MS) < FORGET_MS)
        return Promise.resolve(null);
      const { row } = open(marketId);
      collect(marketId);
      return row;
    },
  };
}
