import { z } from 'zod';
import { type EpochMs, MINUTE_MS, SECOND_MS } from '../../../../core/base/time/duration.ts';
import type { TradePollOptions } from './trade-poll-options.ts';

/** After so much silence the market is asked whether its answers are fresh, sooner in a busy market. Lists are rebuilt every 4 s. */
const SUSPICIOUS_SILENCE_MS = { least: 6_000, most: 15_000 };
const ASK_EVERY_MS = 5_000;
/** How long the market's own statement is believed: also over a failure of 20 s and the waits after it. */
const BELIEVED_MS = 45_000;
/** Answers with this much lag are old. */
const MOST_LAG_MS = 60_000;
/** The same for a silence that is odd by the pace of the market. */
const ODD_LAG_MS = 15_000;
/** Silence longer than this many usual gaps is odd. */
const STALLED_GAPS = 20;
/** An odd silence that is longer than this counts as stalled unless something confirms it. In a busy market it always does. */
const STALLED_MS = 25_000;

/**
 * What silence means. `quiet`: nothing was traded. `unclear`: not known yet. `stalled`: the answers are old, and complete
 * only up to `until`.
 */
export type SilenceVerdict =
  | { readonly kind: 'quiet' | 'unclear' }
  | { readonly kind: 'stalled'; readonly until: EpochMs };

const statusSchema = z.object({
  data: z.object({
    serving: z.object({ lag_seconds: z.number().min(0) }),
    age_seconds: z.number().min(0).nullish(),
  }),
});

/** How far the market's data was behind, and at which moment. */
interface Freshness {
  readonly lagMs: number;
  readonly at: EpochMs;
}

/** Constructor options of `FeedSilence`. */
type SilenceOptions = Pick<TradePollOptions, 'client' | 'clock' | 'unlistedSince'>;

/** Distinguishes a quiet market from one whose answers are old. */
export class FeedSilence {
  readonly #options: SilenceOptions;
  readonly #pace = new TradePace();
  #tradedAt: EpochMs;
  #askedAt = Number.NEGATIVE_INFINITY;
  #isAsking = false;
  /** The market's last statement in this silence; null without a readable one. */
  #stated: Freshness | null = null;

  constructor(options: SilenceOptions) {
    this.#options = options;
    this.#tradedAt = options.clock.now();
  }

  /** Times of the fills that a round, which began at `start`, listed for the first time. Old ones end no silence. */
  traded(times: readonly EpochMs[], start: EpochMs): void {
    // Trades up to an hour ahead are accepted, but do not show how far the market has come.
    for (const at of times) this.#pace.add(Math.min(at, start));
    if (!times.some((at) => at >= start - MOST_LAG_MS)) return;
    this.#tradedAt = this.#options.clock.now();
    this.#stated = null;
  }

  /** Call it after each round. Asks the market in the background when that is due. */
  classify(signal: AbortSignal): SilenceVerdict {
    const now = this.#options.clock.now();
    this.#forgetFuture(now);
    const silence = now - this.#tradedAt;
    if (silence < this.#suspiciousMs) return { kind: 'quiet' };
    if (!this.#isAsking && now - this.#askedAt >= ASK_EVERY_MS) void this.#ask(signal);
    // What another source showed outweighs the market's own statement.
    const unlistedAt = this.#options.unlistedSince(this.#tradedAt);
    if (unlistedAt !== null) return { kind: 'stalled', until: Math.max(unlistedAt, this.#tradedAt) };
    // The statement is about the origin: a cache or a broken list can still be old.
    if (this.#pace.isBusy && silence > STALLED_MS) return { kind: 'stalled', until: this.#pace.newestAt };
    const gap = this.#pace.meanGapMs;
    const isOdd = gap !== null && silence > gap * STALLED_GAPS;
    const stated = this.#stated;
    return stated !== null && now - stated.at <= BELIEVED_MS
      ? byStatement(stated, isOdd)
      : this.#byPace(silence, isOdd);
  }

  /** How long a silence is before the market is asked. */
  get #suspiciousMs(): number {
    const { least, most } = SUSPICIOUS_SILENCE_MS;
    return Math.min(Math.max((this.#pace.meanGapMs ?? most) * STALLED_GAPS, least), most);
  }

  async #ask(signal: AbortSignal): Promise<void> {
    const { client, clock } = this.#options;
    this.#isAsking = true;
    this.#askedAt = clock.now();
    try {
      const request = { api: 'data', path: '/v2/status', query: {}, purpose: 'poll' } as const;
      const { body, ageMs: cachedMs } = await client.get(request, signal);
      const { data } = statusSchema.parse(body);
      const ageMs = (data.age_seconds ?? 0) * 1_000;
      // A measurement that is itself old says nothing about later times.
      const lagMs = data.serving.lag_seconds * 1_000 + (ageMs > MOST_LAG_MS ? ageMs : 0);
      this.#stated = { lagMs, at: clock.now() - cachedMs };
    } catch {
      // The statement before is believed until it is too old.
    } finally {
      this.#isAsking = false;
    }
  }

  /** After a clock was set back nothing happened later than now. */
  #forgetFuture(now: EpochMs): void {
    this.#tradedAt = Math.min(this.#tradedAt, now);
    if (this.#askedAt > now) this.#askedAt = Number.NEGATIVE_INFINITY;
    if (this.#stated !== null && this.#stated.at > now) this.#stated = null;
  }

  /** Without a recent statement. The last one still proves that the data reached that far. */
  #byPace(silence: number, isOdd: boolean): SilenceVerdict {
    if (!isOdd) return { kind: 'quiet' };
    if (silence <= STALLED_MS) return { kind: 'unclear' };
    const statedUntil = this.#stated === null ? 0 : this.#stated.at - this.#stated.lagMs;
    return { kind: 'stalled', until: Math.max(this.#pace.newestAt, statedUntil) };
  }
}

function byStatement({ lagMs, at }: Freshness, isOdd: boolean): SilenceVerdict {
  if (lagMs <= (isOdd ? ODD_LAG_MS : MOST_LAG_MS)) return { kind: 'quiet' };
  return { kind: 'stalled', until: at - lagMs };
}

const PACE_MINUTES = 60;
/** Below this number of trades the pace is unknown. */
const MIN_TRADES = 100;
/** A market is busy when this share of its seconds has trades. Seconds, because one order may be thirty rows. */
const BUSY_SHARE = 0.8;

interface Minute {
  trades: number;
  readonly seconds: Set<number>;
}

/** How often trades are made, by their own times in the hour before the newest. */
class TradePace {
  readonly #minutes = new Map<number, Minute>();
  #newestAt = 0;

  get newestAt(): EpochMs {
    return this.#newestAt;
  }

  /** Mean time between two trades, milliseconds; null while there are too few. */
  get meanGapMs(): number | null {
    const count = this.#sum(({ trades }) => trades);
    return count < MIN_TRADES ? null : this.#spanMs() / count;
  }

  /** Whether most seconds have a trade; false while there are too few. */
  get isBusy(): boolean {
    const seconds = this.#sum((minute) => minute.seconds.size);
    return seconds >= MIN_TRADES && seconds >= (this.#spanMs() / SECOND_MS) * BUSY_SHARE;
  }

  add(at: EpochMs): void {
    const number = Math.floor(at / MINUTE_MS);
    if (number <= this.#oldestMinute()) return;
    let minute = this.#minutes.get(number);
    if (minute === undefined) {
      minute = { trades: 0, seconds: new Set() };
      this.#minutes.set(number, minute);
    }
    minute.trades += 1;
    minute.seconds.add(Math.floor(at / SECOND_MS));
    if (at <= this.#newestAt) return;
    this.#newestAt = at;
    for (const one of this.#minutes.keys()) if (one <= this.#oldestMinute()) this.#minutes.delete(one);
  }

  #oldestMinute(): number {
    return Math.floor(this.#newestAt / MINUTE_MS) - PACE_MINUTES;
  }

  #sum(of: (minute: Minute) => number): number {
    let sum = 0;
    for (const minute of this.#minutes.values()) sum += of(minute);
    return sum;
  }

  #spanMs(): number {
    return Math.max(this.#newestAt - Math.min(...this.#minutes.keys()) * MINUTE_MS, 1);
  }
}
