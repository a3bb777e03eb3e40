import type { Logger } from '../../../../core/base/logger.ts';
import type { Clock } from '../../../../core/base/time/clock.ts';
import { type EpochMs, SECOND_MS } from '../../../../core/base/time/duration.ts';
import type { Metrics } from '../../../../core/metrics.ts';
import type { Coverage } from '../../../../core/trades/coverage/coverage.ts';

/** A smaller skew is not corrected: `Date` counts whole seconds, and nothing depends on less. */
const CORRECTED_MIN_MS = 2 * SECOND_MS;
const LOGGED_SKEW_MS = 5 * SECOND_MS;

interface MarketClockOptions {
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly metrics: Pick<Metrics, 'upstreamSkew'>;
  /** Called with the market's time, now, when an answer agrees with the ones before. */
  readonly onTime?: (time: EpochMs) => void;
}

/**
 * The time of the market, as its answers date themselves, for everything that compares trades with now. It runs at the
 * pace of the host's clock. The records of this service are in the host's time.
 */
export class MarketClock implements Clock {
  readonly #options: MarketClockOptions;
  readonly #skew = new SkewEstimate();
  #loggedMs: number | null = null;

  constructor(options: MarketClockOptions) {
    this.#options = options;
  }

  readonly now = (): EpochMs => this.#options.clock.now() + this.#correctionMs();

  readonly sleep = (ms: number, signal?: AbortSignal): Promise<void> => this.#options.clock.sleep(ms, signal);

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

  observe(answer: DatedAnswer): void {
    const isConfirmed = this.#skew.add(answer);
    const { ms } = this.#skew;
    if (ms === null) return;
    if (isConfirmed) this.#options.onTime?.(this.#options.clock.now() + ms);
    this.#options.metrics.upstreamSkew(ms);
    this.#log(ms);
  }

  #correctionMs(): number {
    const ms = this.#skew.ms ?? 0;
    return Math.abs(ms) < CORRECTED_MIN_MS ? 0 : ms;
  }

  #log(ms: number): void {
    const { logger } = this.#options;
    const isWrong = Math.abs(ms) > LOGGED_SKEW_MS;
    if (this.#loggedMs === null ? isWrong : Math.abs(ms - this.#loggedMs) > LOGGED_SKEW_MS && isWrong) {
      this.#loggedMs = ms;
      const seconds = Math.round(Math.abs(ms) / SECOND_MS);
      const way = ms > 0 ? 'behind' : 'ahead of';
      logger.warn(
        { skewSeconds: ms / SECOND_MS },
        `the clock of this host is ${seconds} s ${way} the market's, and alerts carry its time: synchronise it (NTP)`,
      );
    } else if (this.#loggedMs !== null && this.#correctionMs() === 0) {
      this.#loggedMs = null;
      logger.info({ skewSeconds: ms / SECOND_MS }, "the clock of this host agrees with the market's again");
    }
  }
}

const DATE_UNIT_MS = 1_000;
/** So many answers in a row have to contradict an estimate, and agree with one another, to replace it. */
const REPLACING_ANSWERS = 3;

interface DatedAnswer {
  readonly date: EpochMs;
  readonly sentAt: EpochMs;
  readonly receivedAt: EpochMs;
}

interface Interval {
  readonly least: number;
  readonly most: number;
}

/**
 * How far the market's clock is ahead of this host's. Each answer gives an interval, since it was made between sending
 * and receiving; the estimate is their intersection. Once that is empty a clock was set or drifted: the newest answers
 * count, when they agree. One answer alone, with a wrong `Date`, changes nothing.
 */
class SkewEstimate {
  #known: Interval | null = null;
  #rival: Interval | null = null;
  #rivalAnswers = 0;

  /** The least skew that all answers agree with, milliseconds: positive when this host is behind. Null before the first. */
  get ms(): number | null {
    if (this.#known === null) return null;
    const { least, most } = this.#known;
    if (least > 0) return least;
    return Math.min(most, 0);
  }

  add({ date, sentAt, receivedAt }: DatedAnswer): boolean {
    const given = { least: date - receivedAt, most: date + DATE_UNIT_MS - sentAt };
    // NaN, or a clock that was set back meanwhile.
    if (!(given.least <= given.most)) return false;
    const known = this.#known === null ? given : intersection(this.#known, given);
    if (known !== null) {
      this.#known = known;
      this.#rivalAnswers = 0;
      this.#rival = null;
      return true;
    }
    const rival = this.#rival === null ? null : intersection(this.#rival, given);
    this.#rivalAnswers = rival === null ? 1 : this.#rivalAnswers + 1;
    this.#rival = rival ?? given;
    if (this.#rivalAnswers < REPLACING_ANSWERS) return false;
    this.#known = this.#rival;
    this.#rival = null;
    return true;
  }
}

function intersection(a: Interval, b: Interval): Interval | null {
  const both = { least: Math.max(a.least, b.least), most: Math.min(a.most, b.most) };
  return both.least <= both.most ? both : null;
}

/** The record of the coverage, in the market's time. */
export type MarketCoverage = Pick<Coverage, 'fresh' | 'confirmed' | 'failed' | 'provisional'> & {
  /** How far back the first walk must reach; null at the very first start. Call it once the market's time is known. */
  wantedFrom(): EpochMs | null;
};

export async function openInMarketTime(
  coverage: Coverage,
  clock: Pick<MarketClock, 'fromHost' | 'toHost'>,
): Promise<MarketCoverage> {
  const { wantedFrom } = await coverage.open();
  const optional = (at?: EpochMs) => (at === undefined ? undefined : clock.toHost(at));
  return {
    fresh: (at) => coverage.fresh(clock.toHost(at)),
    confirmed: ({ from, until }) =>
      coverage.confirmed({ from: clock.toHost(from), until: clock.toHost(until) }),
    failed: (cause, completeUntil) => coverage.failed(cause, optional(completeUntil)),
    provisional: (isProvisional, since) => coverage.provisional(isProvisional, optional(since)),
    wantedFrom: () => (wantedFrom === null ? null : clock.fromHost(wantedFrom)),
  };
}

/** The year 5138 in seconds; larger numbers are milliseconds. */
const MOST_SECONDS = 1e11;

/** A time as the market writes it: epoch seconds, milliseconds, or either as text. Null when it is invalid. */
export function upstreamTime(value: unknown): EpochMs | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number) || number <= 0) return null;
  return Math.round(number > MOST_SECONDS ? number : number * 1_000);
}
