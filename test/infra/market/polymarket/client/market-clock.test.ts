import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MarketClock } from '../../../../../src/infra/market/polymarket/client/market-clock.ts';
import { createFakeClock } from '../../../../support/clock.ts';
import { createRecordingLogger } from '../../../../support/recording-logger.ts';

const START = Date.UTC(2026, 10, 20, 12);

function marketOf(aheadMs: number) {
  const clock = createFakeClock(START);
  const logger = createRecordingLogger();
  const gauge: number[] = [];
  const metrics = { upstreamSkew: (ms: number) => void gauge.push(ms) };
  const marketClock = new MarketClock({ clock, logger, metrics });
  const market = { aheadMs };
  /** A request that takes so long; the answer is made after half of it. */
  async function answer(ms = 200, offMs = 0): Promise<void> {
    const sentAt = clock.now();
    await clock.advance(ms / 2);
    const date = Math.floor((clock.now() + market.aheadMs + offMs) / 1_000) * 1_000;
    await clock.advance(ms / 2 + 317);
    marketClock.observe({ date, sentAt, receivedAt: clock.now() - 317 });
  }
  return { clock, logger, gauge, marketClock, market, answer };
}

test('before the first answer the skew is unknown and the host’s time holds', () => {
  const { clock, marketClock } = marketOf(90_000);
  expect(marketClock.skewMs()).toBeNull();
  expect(marketClock.now()).toBe(clock.now());
});

test.each([90_000, -90_000, 7_500, 3_600_000])(
  'a host that is off by %i ms is corrected to a second by the first answer, and closer by more',
  async (aheadMs) => {
    const { clock, marketClock, gauge, answer } = marketOf(aheadMs);
    await answer();
    expect(Math.abs(marketClock.now() - clock.now() - aheadMs)).toBeLessThanOrEqual(1_200);
    for (let i = 0; i < 40; i++) await answer();
    const offMs = Math.abs(marketClock.now() - clock.now() - aheadMs);
    // Half of what a request takes, and the phases of a second that the answers came in.
    expect(offMs).toBeLessThanOrEqual(250);
    expect(gauge.at(-1)).toBe(marketClock.skewMs());
    expect(marketClock.toHost(marketClock.fromHost(START))).toBe(START);
  },
);

test('less than 2 s is shown and not corrected, and answers that take long claim no skew', async () => {
  const { clock, marketClock, logger, answer } = marketOf(1_700);
  await answer(9_000);
  expect(marketClock.skewMs()).toBe(0);
  for (let i = 0; i < 20; i++) await answer();
  expect(marketClock.skewMs()).toBeGreaterThan(1_400);
  expect(marketClock.now()).toBe(clock.now());
  expect(logger.lines).toEqual([]);
});

test('a skew above 5 s is logged once, again when it changes by as much, and when it ends', async () => {
  const { market, logger, answer } = marketOf(90_000);
  for (let i = 0; i < 10; i++) await answer();
  market.aheadMs = -12_000;
  for (let i = 0; i < 10; i++) await answer();
  market.aheadMs = 300;
  for (let i = 0; i < 10; i++) await answer();
  expect(logger.lines.map(({ level, message }) => [level, message])).toEqual([
    ['warn', expect.stringMatching(/^the clock of this host is (89|90) s behind the market's.*NTP/)],
    ['warn', expect.stringMatching(/^the clock of this host is (11|12) s ahead of the market's.*NTP/)],
    ['info', "the clock of this host agrees with the market's again"],
  ]);
});

test('one answer with a wrong Date changes nothing; a clock that was set is followed within three answers', async () => {
  const { market, marketClock, answer } = marketOf(0);
  for (let i = 0; i < 5; i++) await answer();
  await answer(200, 3_600_000);
  expect(marketClock.skewMs()).toBe(0);
  for (let i = 0; i < 5; i++) await answer();
  market.aheadMs = 60_000;
  for (let i = 0; i < 3; i++) await answer();
  expect(marketClock.skewMs()).toBeGreaterThan(58_000);
});

test('whatever the delays, the skew of a steady clock is never overstated', async () => {
  const delays = fc.array(fc.integer({ min: 2, max: 20_000 }), { minLength: 1, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: -1e7, max: 1e7 }), delays, async (aheadMs, all) => {
      const { marketClock, answer } = marketOf(aheadMs);
      for (const ms of all) await answer(ms);
      const known = marketClock.skewMs() as number;
      expect(Math.abs(known)).toBeLessThanOrEqual(Math.abs(aheadMs) + 1);
      expect(known === 0 || Math.sign(known) === Math.sign(aheadMs)).toBe(true);
    }),
    { numRuns: 50 },
  );
});

test('a Date that cannot be read is passed over', () => {
  const { marketClock } = marketOf(0);
  marketClock.observe({ date: Number.NaN, sentAt: START, receivedAt: START });
  expect(marketClock.skewMs()).toBeNull();
});
