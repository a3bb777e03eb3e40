import { z } from 'zod';
import type { Clock } from '../../../core/clock.ts';
import type { EpochMs } from '../../../core/trade.ts';
import type { MarketClient } from '../client/market-client.ts';
import { TradePace } from './trade-pace.ts';

/** From so much silence on the market is asked whether its answers are fresh, a busy one sooner; lists are rebuilt every 4 s. */
const SUSPICIOUS_SILENCE_MS = { least: 6_000, most: 15_000 };
const ASK_EVERY_MS = 5_000;
/** An answer of the market about itself is believed for so long: also over a failure of 20 s and the waits after it. */
const BELIEVED_MS = 45_000;
/** From so much lag on its answers are old. Less is enough when by its pace the silence is no quiet. */
const MOST_LAG_MS = 60_000;
const ODD_LAG_MS = 15_000;
/**
 * Silence of so many times the usual gap is odd; one that lasts longer than this too is no quiet where nothing vouches for
 * it. That of a busy market is none then whatever the market says of itself.
 */
const STALLED_MS = 25_000;
const STALLED_GAPS = 20;

/**
 * What silence means. `quiet`: nothing was traded. `unclear`: it is being found out. `stalled`: what is answered is old,
 * complete only up to `until`.
 */
export type SilenceVerdict =
  | { readonly kind: 'quiet' | 'unclear' }
  | { readonly kind: 'stalled'; readonly until: EpochMs };

/** Tells a quiet market from one that goes on answering with what is old. */
export interface FeedSilence {
  /** When fills were made that were listed for the first time, in a round that began at `start`. Old ones end no silence. */
  traded(times: readonly EpochMs[], start: EpochMs): void;
  /** Called after each round; asks the market in the background when that is due. */
  classify(signal: AbortSignal): SilenceVerdict;
}

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

export interface FeedSilenceDeps {
  readonly client: Pick<MarketClient, 'get'>;
  readonly clock: Clock;
  /** When a trade was made that the stream showed after this moment and polling has not listed for a while; null: none. */
  unlistedSince(moment: EpochMs): EpochMs | null;
}

export function createFeedSilence({ client, clock, unlistedSince }: FeedSilenceDeps): FeedSilence {
  const pace = new TradePace();
  let tradedAt = clock.now();
  let askedAt = Number.NEGATIVE_INFINITY;
  let isAsking = false;
  /** What the market last said of itself in this silence; null when it said nothing that can be read. */
  let word: Freshness | null = null;

  async function ask(signal: AbortSignal): Promise<void> {
    isAsking = true;
    askedAt = clock.now();
    try {
      const request = { api: 'data', path: '/v2/status', query: {}, purpose: 'poll' } as const;
      const { body, ageMs: cachedMs } = await client.get(request, signal);
      const { data } = statusSchema.parse(body);
      const ageMs = (data.age_seconds ?? 0) * 1_000;
      // A measurement that is itself old tells nothing newer than it.
      word = {
        lagMs: data.serving.lag_seconds * 1_000 + (ageMs > MOST_LAG_MS ? ageMs : 0),
        at: clock.now() - cachedMs,
      };
    } catch {
      // What it said before is believed until it is too old.
    } finally {
      isAsking = false;
    }
  }

  /** After a clock was set back nothing was heard later than now. */
  function forgetFuture(now: EpochMs): void {
    tradedAt = Math.min(tradedAt, now);
    if (askedAt > now) askedAt = Number.NEGATIVE_INFINITY;
    if (word !== null && word.at > now) word = null;
  }

  function byWord({ lagMs, at }: Freshness, isOdd: boolean): SilenceVerdict {
    if (lagMs <= (isOdd ? ODD_LAG_MS : MOST_LAG_MS)) return { kind: 'quiet' };
    return { kind: 'stalled', until: at - lagMs };
  }

  /** Nobody says how fresh the answers are. What the market said last was that it was up to date then, or more. */
  function byPace(silence: number, isOdd: boolean): SilenceVerdict {
    if (!isOdd) return { kind: 'quiet' };
    if (silence <= STALLED_MS) return { kind: 'unclear' };
    return { kind: 'stalled', until: Math.max(pace.newestAt, word === null ? 0 : word.at - word.lagMs) };
  }

  return {
    traded(times, start) {
      // Up to an hour ahead is plausible for a trade; how far the market has come is not told by it.
      for (const at of times) pace.add(Math.min(at, start));
      if (!times.some((at) => at >= start - MOST_LAG_MS)) return;
      tradedAt = clock.now();
      word = null;
    },
    classify(signal) {
      const now = clock.now();
      forgetFuture(now);
      const silence = now - tradedAt;
      const gap = pace.meanGapMs;
      const suspicion = Math.min(
        Math.max((gap ?? SUSPICIOUS_SILENCE_MS.most) * STALLED_GAPS, SUSPICIOUS_SILENCE_MS.least),
        SUSPICIOUS_SILENCE_MS.most,
      );
      if (silence < suspicion) return { kind: 'quiet' };
      if (!isAsking && now - askedAt >= ASK_EVERY_MS) void ask(signal);
      // What was seen elsewhere outweighs what the market says of itself.
      const unlistedAt = unlistedSince(tradedAt);
      if (unlistedAt !== null) return { kind: 'stalled', until: Math.max(unlistedAt, tradedAt) };
      // What the market says of itself is true of its origin: a cache or a broken list shows what is old all the same.
      if (pace.isBusy && silence > STALLED_MS) return { kind: 'stalled', until: pace.newestAt };
      const isOdd = gap !== null && silence > gap * STALLED_GAPS;
      return word !== null && now - word.at <= BELIEVED_MS ? byWord(word, isOdd) : byPace(silence, isOdd);
    },
  };
}
