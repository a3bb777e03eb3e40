import type { Clock } from '../../../core/clock.ts';
import { SECOND_MS } from '../../../core/duration.ts';
import type { Logger } from '../../../core/logger.ts';
import type { Metrics } from '../../../core/metrics/metrics.ts';
import type { EpochMs } from '../../../core/trade.ts';
import { type DatedAnswer, SkewEstimate } from './skew-estimate.ts';

/** A smaller skew is not corrected: `Date` counts whole seconds, and nothing depends on less. */
const CORRECTED_MIN_MS = 2 * SECOND_MS;
/** A larger skew is logged, and again when it has changed by as much. */
const LOGGED_SKEW_MS = 5 * SECOND_MS;

interface MarketClockOptions {
  /** The host's. */
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly metrics: Pick<Metrics, 'upstreamSkew'>;
}

/**
 * The time of the market, as its answers date themselves, for everything that compares trades with now. It runs at the
 * pace of the host's clock. The records of this service are in the host's time.
 */
export class MarketClock implements Clock {
  readonly #clock: Clock;
  readonly #logger: MarketClockOptions['logger'];
  readonly #metrics: MarketClockOptions['metrics'];
  readonly #skew = new SkewEstimate();
  #loggedMs: number | null = null;

  constructor({ clock, logger, metrics }: MarketClockOptions) {
    this.#clock = clock;
    this.#logger = logger;
    this.#metrics = metrics;
  }

  readonly now = (): EpochMs => this.#clock.now() + this.#correctionMs();

  readonly sleep = (ms: number, signal?: AbortSignal): Promise<void> => this.#clock.sleep(ms, signal);

  /** A moment of the host's clock as the market dates it. */
  fromHost(at: EpochMs): EpochMs {
    return at + this.#correctionMs();
  }

  /** A moment of the market, such as a trade's, as the host's clock would have shown it. */
  toHost(at: EpochMs): EpochMs {
    return at - this.#correctionMs();
  }

  /** How far the market's clock is ahead of the host's, in milliseconds; null before the first answer. */
  skewMs(): number | null {
    return this.#skew.ms;
  }

  /** Learns from an answer that comes from no cache. */
  observe(answer: DatedAnswer): void {
    this.#skew.add(answer);
    const { ms } = this.#skew;
    if (ms === null) return;
    this.#metrics.upstreamSkew(ms);
    this.#log(ms);
  }

  #correctionMs(): number {
    const ms = this.#skew.ms ?? 0;
    return Math.abs(ms) < CORRECTED_MIN_MS ? 0 : ms;
  }

  #log(ms: number): void {
    const isWrong = Math.abs(ms) > LOGGED_SKEW_MS;
    if (this.#loggedMs === null ? isWrong : Math.abs(ms - this.#loggedMs) > LOGGED_SKEW_MS && isWrong) {
      this.#loggedMs = ms;
      const seconds = Math.round(Math.abs(ms) / SECOND_MS);
      const way = ms > 0 ? 'behind' : 'ahead of';
      this.#logger.warn(
        { skewSeconds: ms / SECOND_MS },
        `the clock of this host is ${seconds} s ${way} the market's, and alerts carry its time: synchronise it (NTP)`,
      );
    } else if (this.#loggedMs !== null && this.#correctionMs() === 0) {
      this.#loggedMs = null;
      this.#logger.info(
        { skewSeconds: ms / SECOND_MS },
        "the clock of this host agrees with the market's again",
      );
    }
  }
}
