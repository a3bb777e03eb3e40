import type { Clock } from '../../../core/clock.ts';
import { SECOND_MS } from '../../../core/duration.ts';
import type { Logger } from '../../../core/logger.ts';
import type { Metrics } from '../../../core/metrics/metrics.ts';
import type { EpochMs } from '../../../core/trade.ts';
import { type DatedAnswer, SkewEstimate } from './skew-estimate.ts';

/** Less skew is not corrected: `Date` counts whole seconds, and nothing here depends on less. */
const LEAST_CORRECTED_MS = 2 * SECOND_MS;
/** From so much skew on the operator is told, and again when it changed by as much. */
const LOGGED_SKEW_MS = 5 * SECOND_MS;

/**
 * The time of the market, as its answers date themselves, for whatever compares trades with now. It keeps the pace of
 * the host's clock. The records of this service are in the host's time.
 */
export interface MarketClock extends Clock {
  /** Learns from an answer that no cache kept. */
  observe(answer: DatedAnswer): void;
  /** A moment of the host's clock as the market dates it. */
  fromHost(at: EpochMs): EpochMs;
  /** A moment of the market, such as a trade's, as the host's clock would have shown it. */
  toHost(at: EpochMs): EpochMs;
  /** How far the market's clock is ahead of the host's, milliseconds; null before the first answer. */
  skewMs(): number | null;
}

interface MarketClockDeps {
  /** The host's. */
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly metrics: Pick<Metrics, 'upstreamSkew'>;
}

export function createMarketClock({ clock, logger, metrics }: MarketClockDeps): MarketClock {
  const skew = new SkewEstimate();
  let loggedMs: number | null = null;

  function correctionMs(): number {
    const ms = skew.ms ?? 0;
    return Math.abs(ms) < LEAST_CORRECTED_MS ? 0 : ms;
  }

  function logSkew(ms: number): void {
    const isWrong = Math.abs(ms) > LOGGED_SKEW_MS;
    if (loggedMs === null ? isWrong : Math.abs(ms - loggedMs) > LOGGED_SKEW_MS && isWrong) {
      loggedMs = ms;
      const seconds = Math.round(Math.abs(ms) / SECOND_MS);
      const way = ms > 0 ? 'behind' : 'ahead of';
      logger.warn(
        { skewSeconds: ms / SECOND_MS },
        `the clock of this host is ${seconds} s ${way} the market's, and alerts carry its time: synchronise it (NTP)`,
      );
    } else if (loggedMs !== null && correctionMs() === 0) {
      loggedMs = null;
      logger.info({ skewSeconds: ms / SECOND_MS }, "the clock of this host agrees with the market's again");
    }
  }

  return {
    now: () => clock.now() + correctionMs(),
    sleep: (ms, signal) => clock.sleep(ms, signal),
    fromHost: (at) => at + correctionMs(),
    toHost: (at) => at - correctionMs(),
    skewMs: () => skew.ms,
    observe(answer) {
      skew.add(answer);
      const { ms } = skew;
      if (ms === null) return;
      metrics.upstreamSkew(ms);
      logSkew(ms);
    },
  };
}
