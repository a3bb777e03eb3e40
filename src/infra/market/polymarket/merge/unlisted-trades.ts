import { LRUCache } from 'lru-cache';
import { LogThrottle } from '../../../../core/base/async/failure-log.ts';
import type { Logger } from '../../../../core/base/logger.ts';
import type { Clock } from '../../../../core/base/time/clock.ts';
import { type EpochMs, MINUTE_MS, SECOND_MS } from '../../../../core/base/time/duration.ts';
import { fillKey } from '../../../../core/detection/fill-hash.ts';
import type { Metrics } from '../../../../core/metrics.ts';
import type { Trade } from '../../../../core/trades/trade.ts';

/** Minutes of the market at its busiest; the oldest are forgotten first. */
const TRADES_MAX = 20_000;
/** The list has every trade after 11 s: one that is not listed after ten minutes is late, if it ever is. */
const EXPIRES_MS = 10 * MINUTE_MS;
/** An older trade was listed already, and is not listed again soon. */
const SHOWN_LATE_MS = MINUTE_MS;
/** The list has every trade after 11 s (measured 2026-09). */
const UNLISTED_MS = 20 * SECOND_MS;
/** Weight of one trade in the stream's completeness: an outage shows within seconds. */
const WEIGHT = 0.02;

interface ShownTrade {
  readonly at: EpochMs;
  readonly shownAt: EpochMs;
  /** Polling that fails confirms nothing, so the time runs only while it answers. */
  expiresAt: EpochMs;
}

interface UnlistedOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly metrics: Pick<Metrics, 'unlistedTradeEnded'>;
}

/** Trades that the stream has shown and polling has not listed yet. Each of the two sources is checked by the other. */
export class UnlistedTrades {
  readonly #options: UnlistedOptions;
  /** By key, in the order shown: entries are never moved by `get`. */
  readonly #trades = new LRUCache<string, ShownTrade>({ max: TRADES_MAX });
  readonly #expiredLog: LogThrottle;
  #completeness = 0;

  constructor(options: UnlistedOptions) {
    this.#options = options;
    this.#expiredLog = new LogThrottle(options.clock, MINUTE_MS);
  }

  shown(trade: Trade): void {
    const now = this.#options.clock.now();
    const key = fillKey(trade);
    if (now - trade.at > SHOWN_LATE_MS || this.#trades.has(key)) return;
    this.#trades.set(key, { at: trade.at, shownAt: now, expiresAt: now + EXPIRES_MS });
  }

  listed(trade: Trade): void {
    if (!this.#trades.delete(fillKey(trade))) return;
    this.#options.metrics.unlistedTradeEnded('confirmed');
    this.#count(1);
  }

  missed(trade: Trade): void {
    if (this.#options.clock.now() - trade.at <= SHOWN_LATE_MS) this.#count(0);
  }

  /** Share of the trades listed lately that the stream had shown before, 0 to 1. */
  get completeness(): number {
    return this.#completeness;
  }

  /** Time of the first trade that was shown after this moment and has not been listed for 20 s; null: none. */
  unlistedSince(moment: EpochMs): EpochMs | null {
    const latest = this.#options.clock.now() - UNLISTED_MS;
    for (const trade of this.#trades.rvalues()) {
      if (trade === undefined || trade.shownAt > latest) return null;
      if (trade.shownAt > moment) return trade.at;
    }
    return null;
  }

  /** Drops trades that were not listed for ten minutes. Called at least every second. `isPolling`: whether polling answers. */
  expire(isPolling: boolean): void {
    const now = this.#options.clock.now();
    const expired: string[] = [];
    this.#trades.rforEach((trade, key) => {
      if (!isPolling) trade.expiresAt = now + EXPIRES_MS;
      else if (trade.expiresAt <= now) expired.push(key);
    });
    for (const key of expired) {
      this.#trades.delete(key);
      this.#options.metrics.unlistedTradeEnded('unconfirmed');
      const fills = this.#expiredLog.take();
      if (fills !== null)
        this.#options.logger.warn({ fills }, 'trades of the stream expired; polling never listed them');
    }
  }

  #count(shown: 0 | 1): void {
    this.#completeness += WEIGHT * (shown - this.#completeness);
  }
}
