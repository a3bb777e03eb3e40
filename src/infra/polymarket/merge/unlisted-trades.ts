import { LogThrottle } from '../../../core/async/log-throttle.ts';
import type { Clock } from '../../../core/clock.ts';
import { fillKey } from '../../../core/detection/fill-hash.ts';
import { MINUTE_MS, SECOND_MS } from '../../../core/duration.ts';
import type { Logger } from '../../../core/logger.ts';
import type { Metrics } from '../../../core/metrics/metrics.ts';
import type { EpochMs, Trade } from '../../../core/trade.ts';

/** Minutes of the market at its busiest; the oldest are forgotten first. */
const TRADES_MAX = 20_000;
/** Polling reads each listing again for a minute; what it has not listed after ten it never will. */
const EXPIRES_MS = 10 * MINUTE_MS;
/** An older trade was listed already, and is not listed again soon. */
const SHOWN_LATE_MS = MINUTE_MS;
/** The list has every trade after 11 s (measured 2026-09). */
const UNLISTED_MS = 20 * SECOND_MS;
const LOOK_EVERY_MS = SECOND_MS;
/** Weight of one trade in the stream's completeness: an outage shows within seconds. */
const WEIGHT = 0.02;

interface ShownTrade {
  readonly at: EpochMs;
  readonly shownAt: EpochMs;
  /** Polling that fails confirms nothing, so the time runs only while it answers. */
  expiresAt: EpochMs;
}

/** Constructor options of `UnlistedTrades`. */
interface UnlistedOptions {
  /** Corrected to the market's time. */
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  readonly metrics: Pick<Metrics, 'unlistedTradeEnded'>;
  /** Whether polling answers. */
  readonly isPolling: () => boolean;
}

/** Trades that the stream has shown and polling has not listed yet. Each of the two sources is checked by the other. */
export class UnlistedTrades {
  readonly #options: UnlistedOptions;
  /** By key, in the order shown. */
  readonly #trades = new Map<string, ShownTrade>();
  readonly #expiredLog: LogThrottle;
  #completeness = 0;

  constructor(options: UnlistedOptions) {
    this.#options = options;
    this.#expiredLog = new LogThrottle(options.clock, MINUTE_MS);
  }

  /** The stream has shown a trade. */
  shown(trade: Trade): void {
    const now = this.#options.clock.now();
    const key = fillKey(trade);
    if (now - trade.at > SHOWN_LATE_MS || this.#trades.has(key)) return;
    this.#trades.set(key, { at: trade.at, shownAt: now, expiresAt: now + EXPIRES_MS });
    if (this.#trades.size > TRADES_MAX) this.#trades.delete(this.#trades.keys().next().value as string);
  }

  /** Polling has listed a trade, for the first time or again. */
  listed(trade: Trade): void {
    if (!this.#trades.delete(fillKey(trade))) return;
    this.#options.metrics.unlistedTradeEnded('confirmed');
    this.#count(1);
  }

  /** Polling has listed a trade first, which no other source had shown. */
  missed(trade: Trade): void {
    if (this.#options.clock.now() - trade.at <= SHOWN_LATE_MS) this.#count(0);
  }

  /** The part of the trades listed lately that the stream had shown before, 0 to 1. */
  get completeness(): number {
    return this.#completeness;
  }

  /** When the first trade was made that was shown after this moment and has not been listed for 20 s; null: none. */
  unlistedSince(moment: EpochMs): EpochMs | null {
    const latest = this.#options.clock.now() - UNLISTED_MS;
    for (const { at, shownAt } of this.#trades.values()) {
      if (shownAt > latest) return null;
      if (shownAt > moment) return at;
    }
    return null;
  }

  /** Gives up trades that were not listed for ten minutes, until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#expire();
      await this.#options.clock.sleep(LOOK_EVERY_MS, signal);
    }
  }

  #count(shown: 0 | 1): void {
    this.#completeness += WEIGHT * (shown - this.#completeness);
  }

  #expire(): void {
    const { clock, metrics, isPolling } = this.#options;
    const now = clock.now();
    const isCounting = isPolling();
    for (const [key, trade] of this.#trades) {
      if (!isCounting) trade.expiresAt = now + EXPIRES_MS;
      else if (trade.expiresAt <= now) {
        this.#trades.delete(key);
        metrics.unlistedTradeEnded('unconfirmed');
        const fills = this.#expiredLog.take();
        if (fills !== null)
          this.#options.logger.warn({ fills }, 'trades of the stream expired; polling never listed them');
      }
    }
  }
}
