import { expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../../src/core/base/time/duration.ts';
import type { CoverageStore } from '../../../support/memory-coverage.ts';
import { START } from '../../../support/rows.ts';
import { settle } from '../../../support/stream-fixture.ts';
import { fixtureOf, HOUR, see, whileRunning } from './coverage-fixture.ts';

test('what was unconfirmed when the process was killed is a stop, for nothing showed trades any more', async () => {
  const fixture = fixtureOf();
  await whileRunning(fixture, async (coverage) => {
    coverage.provisional(true);
    await fixture.clock.advance(MINUTE_MS);
  });
  await fixture.clock.advance(MINUTE_MS);

  await whileRunning(fixture, async (coverage) => {
    expect(coverage.visibility()).toBe('blind');
    await settle();
    expect(fixture.store.all()).toMatchObject([{ startedAt: START, endedAt: null, cause: 'stopped' }]);
  });
});

test('a stop is a window that the first walk fills; a short one is none', async () => {
  const fixture = fixtureOf();
  await whileRunning(fixture, (coverage) => see(fixture, coverage, SECOND_MS));
  const last = fixture.clock.now();

  await fixture.clock.advance(20 * SECOND_MS);
  expect(await whileRunning(fixture, async () => {})).toBe(last);
  expect(fixture.store.all()).toEqual([]);

  await fixture.clock.advance(HOUR);
  const now = fixture.clock.now();
  const wantedFrom = await whileRunning(fixture, async (coverage) => {
    expect(fixture.store.all()).toMatchObject([
      { startedAt: last, endedAt: now, cause: 'stopped', backfilledAt: null },
    ]);
    coverage.confirmed({ from: last, until: now });
  });
  expect(wantedFrom).toBe(last);
  expect(fixture.store.all()).toMatchObject([{ startedAt: last, endedAt: now, backfilledAt: now }]);
});

test('a clock that is put back hides no silence, and makes no two windows over one time', async () => {
  const fixture = fixtureOf();
  const coverage = fixture.coverageOf();
  await coverage.open();
  const confirm = () => coverage.confirmed({ from: START, until: fixture.clock.now() });
  await fixture.clock.advance(MINUTE_MS);
  confirm();
  await settle();

  await fixture.clock.advance(-30 * SECOND_MS);
  confirm();
  await settle();
  expect(coverage.visibility()).toBe('seen');
  await fixture.clock.advance(26 * SECOND_MS);
  expect(coverage.visibility()).toBe('blind');
  confirm();
  await settle();

  expect(coverage.visibility()).toBe('seen');
  const [first, second] = fixture.store.all();
  expect(first).toMatchObject({ startedAt: START, endedAt: START + MINUTE_MS });
  expect(second?.startedAt).toBeGreaterThanOrEqual(START + MINUTE_MS);
});

test('rows that were enqueued and not passed on are requested again after a kill', async () => {
  const fixture = fixtureOf();
  await whileRunning(fixture, async (coverage) => {
    fixture.waitFor(START - HOUR);
    await see(fixture, coverage, 10 * SECOND_MS);
  });

  expect(await fixture.store.readPosition()).toMatchObject({ since: START, oldestWaiting: START - HOUR });
  expect((await fixture.coverageOf().open()).wantedFrom).toBe(START - HOUR);
});

test('nothing older than 31 days is asked for', async () => {
  const fixture = fixtureOf();
  await whileRunning(fixture, async () => {});
  await fixture.clock.advance(40 * DAY_MS);

  expect((await fixture.coverageOf().open()).wantedFrom).toBe(fixture.clock.now() - 31 * DAY_MS);
});

test('a database that is away is no fault of the poll, and no window is lost', async () => {
  const fixture = fixtureOf();
  let isAway = true;
  const fail = async () => {
    if (isAway) throw new Error('the database is away');
  };
  const store: CoverageStore = {
    ...fixture.store,
    putWindow: async (window) => fail().then(() => fixture.store.putWindow(window)),
    writePosition: async (position) => fail().then(() => fixture.store.writePosition(position)),
  };

  await whileRunning(
    fixture,
    async (coverage) => {
      for (let outage = 0; outage < 2; outage += 1) {
        await fixture.clock.advance(MINUTE_MS);
        coverage.confirmed({ from: fixture.clock.now() - MINUTE_MS, until: fixture.clock.now() });
      }
      expect(fixture.store.all()).toEqual([]);
      isAway = false;
      await fixture.clock.advance(SECOND_MS);
    },
    fixture.coverageOf(store),
  );

  expect(fixture.store.all()).toMatchObject([
    { startedAt: START, endedAt: START + MINUTE_MS },
    { startedAt: START + MINUTE_MS, endedAt: START + 2 * MINUTE_MS },
  ]);
  expect(fixture.warnings()[0]?.message).toContain('store unavailable');
});
