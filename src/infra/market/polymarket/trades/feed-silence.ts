import { z } from 'zod';
import { type EpochMs, HOUR_MS, SECOND_MS } from '../../../../core/base/time/duration.ts';
import { getAs, type MarketClient, UpstreamFault } from '../client/market-client.ts';
import type { TradePollOptions } from './trade-pages.ts';

/** After so much silence the market is asked whether its answers are fresh. Lists are rebuilt every 4 s. */
const SUSPICIOUS_SILENCE_MS = 10_000;
const ASK_EVERY_MS = 5_000;
/** How long the market's own statement is believed: also over a failure of 20 s and the waits after it. */
const BELIEVED_MS = 45_000;
const MOST_LAG_MS = 60_000;
/** The same for a silence that is odd by the pace of the market. */
const ODD_LAG_MS = 15_000;
/** Silence longer than this many usual gaps is odd. */
const STALLED_GAPS = 20;
/** An odd silence that is longer than this counts as stalled unless something confirms it. In a busy market it always does. */
const STALLED_MS = 25_000;
/** The pace is that of so much time, by the times of trades. */
const PACE_MS = HOUR_MS;
/** With trades in fewer seconds the pace is unknown. */
const MIN_SECONDS = 100;
/** A market is busy when this share of its seconds has trades. Seconds, because one order may be thirty rows. */
const BUSY_SHARE = 0.8;

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

interface Freshness {
  readonly lagMs: number;
  readonly at: EpochMs;
}

export class FeedSilence {
  readonly #options: Pick<TradePollOptions, 'client' | 'clock' | 'unlistedSince'>;
  readonly #seconds = new Set<number>();
  #newestAt: EpochMs = 0;
  #tradedAt: EpochMs;
  #askedAt = Number.NEGATIVE_INFINITY;
  #isAsking = false;
  /** The market's last statement in this silence; null without a readable one. */
  #stated: Freshness | null = null;

  constructor(options: Pick<TradePollOptions, 'client' | 'clock' | 'unlistedSince'>) {
    this.#options = options;
    this.#tradedAt = options.clock.now();
  }

  /**
   * Times of trades that a round, which began at `start`, has listed. Old ones end no silence, and those that are dated ahead
   * do not show how far the market has come.
   */
  listed(times: readonly EpochMs[], start: EpochMs): void {
    const before = this.#newestAt;
    for (const at of times) {
      if (at > start || at <= this.#newestAt - PACE_MS) continue;
      this.#newestAt = Math.max(this.#newestAt, at);
      this.#seconds.add(Math.floor(at / SECOND_MS));
    }
    if (this.#newestAt === before || this.#newestAt < start - MOST_LAG_MS) return;
    this.#tradedAt = this.#options.clock.now();
    this.#stated = null;
  }

  classify(signal: AbortSignal): SilenceVerdict {
    const now = this.#options.clock.now();
    this.#forgetFuture(now);
    const silence = now - this.#tradedAt;
    if (silence < SUSPICIOUS_SILENCE_MS) return { kind: 'quiet' };
    if (!this.#isAsking && now - this.#askedAt >= ASK_EVERY_MS) void this.#ask(signal);
    // What a node showed outweighs the market's own statement.
    const unlistedAt = this.#options.unlistedSince(this.#tradedAt);
    if (unlistedAt !== null) return { kind: 'stalled', until: unlistedAt };
    const { gapMs, isBusy } = this.#pace();
    // The statement is about the origin: a cache or a broken list can still be old.
    if (isBusy && silence > STALLED_MS) return { kind: 'stalled', until: this.#newestAt };
    const isOdd = silence > gapMs * STALLED_GAPS;
    const stated = this.#stated;
    return stated !== null && now - stated.at <= BELIEVED_MS
      ? byStatement(stated, isOdd)
      : this.#byPace(silence, isOdd);
  }

  /** Mean time between two seconds with trades, infinite while there are too few; whether most seconds have one. */
  #pace(): { readonly gapMs: number; readonly isBusy: boolean } {
    const oldest = (this.#newestAt - PACE_MS) / SECOND_MS;
    for (const second of this.#seconds) if (second < oldest) this.#seconds.delete(second);
    const count = this.#seconds.size;
    if (count < MIN_SECONDS) return { gapMs: Number.POSITIVE_INFINITY, isBusy: false };
    const gapMs = (this.#newestAt - Math.min(...this.#seconds) * SECOND_MS) / count;
    return { gapMs, isBusy: gapMs * BUSY_SHARE <= SECOND_MS };
  }

  async #ask(signal: AbortSignal): Promise<void> {
    const { client, clock } = this.#options;
    this.#isAsking = true;
    this.#askedAt = clock.now();
    try {
      const { lagMs, cachedMs } = await askStatus(client, signal);
      this.#stated = { lagMs, at: clock.now() - cachedMs };
    } catch (error) {
      // The statement before is believed until it is too old.
      if (!signal.aborted && !(error instanceof UpstreamFault)) throw error;
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
    return { kind: 'stalled', until: Math.max(this.#newestAt, statedUntil) };
  }
}

/** By how much the market says that its lists lag, and how long its answer was in a cache. */
export async function askStatus(
  client: MarketClient,
  signal: AbortSignal,
): Promise<{ readonly lagMs: number; readonly cachedMs: number }> {
  const request = { api: 'data', path: '/v2/status', query: {}, purpose: 'poll' } as const;
  const { data: status, ageMs: cachedMs } = await getAs(client, request, statusSchema, signal);
  const { data } = status;
  const ageMs = (data.age_seconds ?? 0) * 1_000;
  // A measurement that is itself old says nothing about later times.
  const lagMs = data.serving.lag_seconds * 1_000 + (ageMs > MOST_LAG_MS ? ageMs : 0);
  return { lagMs, cachedMs };
}

function byStatement({ lagMs, at }: Freshness, isOdd: boolean): SilenceVerdict {
  if (lagMs <= (isOdd ? ODD_LAG_MS : MOST_LAG_MS)) return { kind: 'quiet' };
  return { kind: 'stalled', until: at - lagMs };
}
