import { expect, test } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '../../../../src/core/base/time/duration.ts';
import type { CoverageStore } from '../../../support/memory-coverage.ts';
import { START } from '../../../support/rows.ts';
import { fixtureOf, see, whileRunning } from './coverage-fixture.ts';

test('what failed before the last confirmation is no cause', async () => {
  const fixture = fixtureOf();

  await whileRunning(fixture, async (coverage) => {
    coverage.failed('refused');
    await see(fixture, coverage, SECOND_MS);
    await fixture.clock.advance(MINUTE_MS);
  });

  expect(fixture.store.all()).toMatchObject([{ cause: 'unreachable' }]);
});

test('spans that join fill it, also when a deeper walk comes later', async () => {
  const fixture = fixtureOf();
  const at = (seconds: number) => START + seconds * SECOND_MS;

  await whileRunning(fixture, async (coverage) => {
    await fixture.clock.advance(MINUTE_MS);
    coverage.confirmed({ from: at(50), until: at(60) });
    expect(fixture.store.all()).toMatchObject([{ endedAt: at(60), backfilledAt: null }]);
    coverage.confirmed({ from: at(10), until: at(30) });
    await fixture.clock.advance(5 * SECOND_MS);
    coverage.confirmed({ from: at(29), until: at(50) });
    expect(fixture.store.all()).toMatchObject([{ backfilledAt: null }]);
    coverage.confirmed({ from: at(-1), until: at(10) });
  });

  expect(fixture.store.all()).toMatchObject([{ startedAt: START, endedAt: at(60), backfilledAt: at(65) }]);
});

test('a listing that lags ends no window until it is up to date', async () => {
  const fixture = fixtureOf();

  await whileRunning(fixture, async (coverage) => {
    await fixture.clock.advance(MINUTE_MS);
    coverage.confirmed({ from: START, until: fixture.clock.now() - 26 * SECOND_MS });
    expect(coverage.visibility()).toBe('blind');
    coverage.confirmed({ from: START + 20 * SECOND_MS, until: fixture.clock.now() - 25 * SECOND_MS });
    expect(coverage.visibility()).toBe('seen');
  });

  expect(fixture.store.all()).toMatchObject([{ startedAt: START, endedAt: START + 35 * SECOND_MS }]);
});

test('the confirmation of a market that had stalled is taken back: blind immediately, from where its data ended', async () => {
  const fixture = fixtureOf();

  await whileRunning(fixture, async (coverage) => {
    await see(fixture, coverage, MINUTE_MS);
    const until = START + 30 * SECOND_MS;
    coverage.failed('stalled', until);
    await fixture.clock.advance(SECOND_MS);
    expect(coverage.status()).toMatchObject({
      confirmedUntil: until,
      open: { startedAt: until, cause: 'stalled' },
    });
    expect(await fixture.store.readPosition()).toMatchObject({ confirmedUntil: until });

    coverage.confirmed({ from: until, until: fixture.clock.now() });
  });

  const end = START + 61 * SECOND_MS;
  expect(fixture.store.all()).toMatchObject([
    { startedAt: START + 30 * SECOND_MS, endedAt: end, backfilledAt: end },
  ]);
});

test('that a window is filled is written after the position that says which of its trades wait', async () => {
  const fixture = fixtureOf();
  const calls: string[] = [];
  const store: CoverageStore = {
    ...fixture.store,
    putWindow: async ({ backfilledAt }) => void calls.push(backfilledAt === null ? 'window' : 'filled'),
    writePosition: async ({ oldestWaiting }) => void calls.push(`position ${oldestWaiting}`),
  };

  await whileRunning(
    fixture,
    async (coverage) => {
      await fixture.clock.advance(MINUTE_MS);
      calls.length = 0;
      fixture.waitFor(7);
      coverage.confirmed({ from: START, until: fixture.clock.now() });
      await fixture.clock.advance(SECOND_MS);
    },
    fixture.coverageOf(store),
  );

  expect(calls).toEqual(['window', 'position 7', 'filled']);
});
