import { expect, test } from 'vitest';
import { UpstreamFault } from '../../../../../src/infra/market/polymarket/client/market-client.ts';
import {
  FeedSilence,
  type SilenceVerdict,
} from '../../../../../src/infra/market/polymarket/trades/feed-silence.ts';
import { createFakeClock } from '../../../../support/clock.ts';

const START = Date.UTC(2026, 10, 20, 12);
const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;

interface Given {
  /** The seconds of silence from which a node's trade counts that is not listed. */
  readonly unlistedFrom?: number;
  /** Milliseconds between two trades, up to the silence. */
  readonly gap?: number;
  /** The lag the market states, in seconds, by the seconds of silence; null: it answers with an error. */
  readonly lag: (silent: number) => number | null;
  /** For how long its answer has been in a cache. */
  readonly ageMs?: number;
}

/** Rounds of polling, one a second, from an hour of trades on. */
function rounds({ gap = 500, unlistedFrom = Number.POSITIVE_INFINITY, lag, ageMs = 0 }: Given) {
  const clock = createFakeClock(START);
  const silence = new FeedSilence({
    client: {
      async get() {
        const seconds = lag((clock.now() - START) / SECOND_MS);
        if (seconds === null) throw new UpstreamFault('down', { outcome: 'refused', status: 503 });
        const body = { data: { serving: { lag_seconds: seconds } } };
        return { body, ageMs, asOf: clock.now() - ageMs };
      },
    },
    clock,
    unlistedSince: (moment) =>
      clock.now() - moment >= unlistedFrom * SECOND_MS ? moment + 2 * SECOND_MS : null,
  });
  const before = Array.from({ length: Math.floor(HOUR_MS / gap) }, (_, n) => START - n * gap);
  silence.listed(before, START);
  const { signal } = new AbortController();
  return {
    clock,
    silence,
    async verdictAt(seconds: number): Promise<SilenceVerdict> {
      let verdict: SilenceVerdict = { kind: 'unclear' };
      while (clock.now() < START + seconds * SECOND_MS) {
        await clock.advance(SECOND_MS);
        verdict = silence.classify(signal);
      }
      return verdict;
    },
  };
}

test('"noticed within 30 s": a listing that froze under a healthy address is stalled by its growing lag after 26 s', async () => {
  const { verdictAt } = rounds({ lag: (silent) => silent });
  const verdict = await verdictAt(26);
  expect(verdict.kind).toBe('stalled');
  expect('until' in verdict && verdict.until - START).toBeLessThan(2 * SECOND_MS);
});

test.each([100, 500, 1_000, 1_250])(
  'without word from the market silence after a trade each %i ms is stalled after 26 s, from the last trade on',
  async (gap) => {
    const { verdictAt } = rounds({ gap, lag: () => null });
    expect((await verdictAt(24)).kind).not.toBe('stalled');
    expect(await verdictAt(26)).toEqual({ kind: 'stalled', until: START });
  },
);

test('a quiet market whose data is up to date is quiet for hours', async () => {
  const { verdictAt } = rounds({ gap: 5 * SECOND_MS, lag: () => 10 });
  for (let hour = 1; hour <= 3; hour++) expect(await verdictAt(hour * 3_600)).toEqual({ kind: 'quiet' });
});

test('our own silence outweighs a status that says fresh: a busy market is stalled after 25 s, from its last trade on', async () => {
  const { verdictAt } = rounds({ gap: 30, lag: () => 4 });
  for (let at = 1; at <= 25; at++) expect((await verdictAt(at)).kind).not.toBe('stalled');
  expect(await verdictAt(26)).toEqual({ kind: 'stalled', until: START });
  expect(await verdictAt(280)).toEqual({ kind: 'stalled', until: START });
});

test('in a quiet hour word that fails for 40 s changes nothing; after that only what it vouched for counts', async () => {
  const isDown = (silent: number) => (silent > 600 && silent < 640) || silent > 1_200;
  const { verdictAt } = rounds({ gap: 5 * SECOND_MS, lag: (silent) => (isDown(silent) ? null : 2) });
  for (let at = 600; at < 700; at++) expect(await verdictAt(at)).toEqual({ kind: 'quiet' });
  const verdict = await verdictAt(1_260);
  expect(verdict.kind).toBe('stalled');
  expect('until' in verdict && verdict.until).toBeGreaterThan(START + 1_190 * SECOND_MS);
});

test('a trade that a node showed and polling does not list outweighs a status that says fresh', async () => {
  const market = rounds({ lag: () => 1, unlistedFrom: 17 });
  expect(await market.verdictAt(16)).toEqual({ kind: 'quiet' });
  expect(await market.verdictAt(18)).toEqual({ kind: 'stalled', until: START + 2 * SECOND_MS });
});

test('a status that a cache answers vouches only for the moment at which it was made', async () => {
  const { verdictAt } = rounds({ lag: () => 1, ageMs: 60 * SECOND_MS });
  expect(await verdictAt(26)).toEqual({ kind: 'stalled', until: START });
});
