import { expect, test } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '../../../../src/core/base/time/duration.ts';
import { CoverageReport } from '../../../../src/core/trades/coverage/coverage-report.ts';
import { CoverageWatch, createDegradedNotice } from '../../../../src/core/trades/coverage/coverage-watch.ts';
import { createFakeClock } from '../../../support/clock.ts';
import { createMemoryCoverage } from '../../../support/memory-coverage.ts';
import { asTheService, createRecordingLogger } from '../../../support/recording-logger.ts';
import { START } from '../../../support/rows.ts';
import { settle } from '../../../support/stream-fixture.ts';

const BLIND = {
  id: 'blind_1',
  startedAt: START,
  endedAt: null,
  cause: 'refused',
  backfilledAt: null,
} as const;

function fixtureOf() {
  const store = createMemoryCoverage();
  const clock = createFakeClock(START);
  return { store, clock, report: new CoverageReport({ store, clock }) };
}

test('before anything was seen nothing is claimed: unknown for the first seconds, then live or blind', async () => {
  const { store, clock, report } = fixtureOf();
  expect(await report.view()).toMatchObject({
    state: 'unknown',
    since: null,
    confirmedUntil: null,
    open: null,
  });
  await store.writePosition({ since: START, confirmedUntil: START, oldestWaiting: null });
  await clock.advance(20 * SECOND_MS);
  expect(await report.view()).toMatchObject({ state: 'unknown', since: START, confirmedUntil: null });
  const over = { since: 0, until: clock.now() + MINUTE_MS, limit: 10 };
  expect(await report.summarise(over)).toMatchObject({ watchedMs: 0, unfilledMs: 0 });

  await store.putWindow(BLIND);
  expect(await report.view()).toMatchObject({ state: 'blind', confirmedUntil: null });
  expect(await report.summarise(over)).toMatchObject({ watchedMs: 20_000, unfilledMs: 20_000 });
  await store.putWindow({ ...BLIND, endedAt: clock.now(), backfilledAt: clock.now() });
  await store.writePosition({ since: START, confirmedUntil: clock.now(), oldestWaiting: null });
  expect((await report.view()).state).toBe('live');
});

test('unconfirmed is a state of its own, with its own sum; it counts as covered once it is backfilled', async () => {
  const { store, clock, report } = fixtureOf();
  await store.writePosition({ since: START - MINUTE_MS, confirmedUntil: START, oldestWaiting: null });
  const window = { ...BLIND, cause: 'unconfirmed' } as const;
  await store.putWindow(window);
  await clock.advance(MINUTE_MS);
  expect(await report.view()).toMatchObject({ state: 'unconfirmed', open: window });
  const over = { since: START - MINUTE_MS, until: clock.now(), limit: 10 };
  const minute = { unconfirmedMs: MINUTE_MS, blindMs: 0 };
  expect(await report.summarise(over)).toMatchObject({ ...minute, unfilledMs: MINUTE_MS });

  await store.putWindow({ ...window, endedAt: clock.now(), backfilledAt: clock.now() });
  expect(await report.summarise(over)).toMatchObject({ ...minute, unfilledMs: 0 });
});

test('where a tape is served the record claims nothing of now, and ends where the live feed last ran', async () => {
  const { store, clock } = fixtureOf();
  const report = new CoverageReport({ store, clock, isWatched: false });
  await store.writePosition({ since: START - MINUTE_MS, confirmedUntil: START, oldestWaiting: null });
  await clock.advance(MINUTE_MS);

  expect(await report.view()).toMatchObject({ state: 'unknown', confirmedUntil: START, open: null });
  const over = { since: START - MINUTE_MS, until: clock.now(), limit: 10 };
  expect(await report.summarise(over)).toMatchObject({
    until: START,
    watchedMs: MINUTE_MS,
    blindMs: 0,
    count: 0,
  });
});

test('live, then blind while a window lasts, catching up until it is filled, and live again', async () => {
  const { store, clock, report } = fixtureOf();
  const stateNow = async () => (await report.view()).state;
  await store.writePosition({ since: START - 1, confirmedUntil: START, oldestWaiting: null });
  expect(await stateNow()).toBe('live');

  await store.putWindow(BLIND);
  expect(await report.view()).toMatchObject({ state: 'blind', open: BLIND });

  await clock.advance(MINUTE_MS);
  await store.putWindow({ ...BLIND, endedAt: clock.now() });
  expect(await stateNow()).toBe('catching_up');

  await store.putWindow({ ...BLIND, endedAt: clock.now(), backfilledAt: clock.now() });
  expect(await report.view()).toMatchObject({ state: 'live', open: null, last: { id: 'blind_1' } });
});

test('a feed whose process is gone is blind, for it stopped: another process names it', async () => {
  const { store, clock, report } = fixtureOf();
  await store.writePosition({ since: START - 1, confirmedUntil: START, oldestWaiting: null });

  await clock.advance(49 * SECOND_MS);
  expect((await report.view()).state).toBe('live');
  await clock.advance(1);

  const blind = { startedAt: START, endedAt: null, cause: 'stopped' };
  expect(await report.view()).toMatchObject({ state: 'blind', open: blind });
  const span = await report.summarise({ since: START - MINUTE_MS, until: clock.now(), limit: 10 });
  expect(span).toMatchObject({
    windows: [blind],
    count: 1,
    watchedMs: 49_002,
    blindMs: 49_001,
    unfilledMs: 49_001,
  });
});

test('the sums are of the time that was asked for, all windows of it counted, those listed bounded', async () => {
  const { store, clock, report } = fixtureOf();
  await store.writePosition({ since: START, confirmedUntil: START + 100 * SECOND_MS, oldestWaiting: null });
  await clock.advance(100 * SECOND_MS);
  const at = (seconds: number) => START + seconds * SECOND_MS;
  await store.putWindow({ ...BLIND, id: 'a', startedAt: at(10), endedAt: at(40), backfilledAt: at(41) });
  await store.putWindow({ ...BLIND, id: 'b', startedAt: at(50), endedAt: at(80) });

  const span = await report.summarise({ since: at(20), until: at(60), limit: 1 });

  expect(span).toMatchObject({ from: at(20), until: at(60), count: 2, watchedMs: 40_000 });
  expect([span.blindMs, span.unfilledMs]).toEqual([30_000, 10_000]);
  expect(span.windows.map(({ id }) => id)).toEqual(['b']);
});

test('the watch knows how the feed stood 2 s ago or less, and nothing while the database is away', async () => {
  const { store, clock, report } = fixtureOf();
  const logger = createRecordingLogger();
  let isAway = false;
  const watch = new CoverageWatch({
    report: { view: async () => (isAway ? Promise.reject(new Error('away')) : report.view()) },
    clock,
    logger: asTheService(logger),
  });
  expect(watch.view()).toBeNull();
  const stop = new AbortController();
  const running = watch.run(stop.signal);
  await settle();
  await store.writePosition({ since: START - 1, confirmedUntil: START, oldestWaiting: null });
  await clock.advance(2 * SECOND_MS);
  expect(watch.view()?.state).toBe('live');

  isAway = true;
  await clock.advance(4 * SECOND_MS);
  expect(watch.view()).toBeNull();
  expect(logger.lines).toHaveLength(1);
  stop.abort();
  await running;
  expect(clock.sleepers).toBe(0);
});

function noticed() {
  const { store, clock, report } = fixtureOf();
  const told: object[] = [];
  const note = (state: object) => void told.push(state);
  const notice = createDegradedNotice(clock, { degrade: note, recover: note });
  return { store, clock, told, look: async () => notice(await report.view()) };
}

test('the stream gets one notice when the feed has been blind for a minute, and one when it is over', async () => {
  const { store, clock, told, look } = noticed();
  await store.writePosition({ since: START, confirmedUntil: START, oldestWaiting: null });
  await store.putWindow(BLIND);

  await clock.advance(MINUTE_MS - 1);
  await look();
  expect(told).toEqual([]);
  await clock.advance(1);
  for (const _ of ['once', 'again']) await look();
  expect(told).toEqual([{ since: START, cause: 'refused', reason: 'refused', factsDelayed: null }]);

  await store.putWindow({ ...BLIND, endedAt: clock.now(), backfilledAt: clock.now() });
  for (const _ of ['once', 'again']) await look();
  expect(told.slice(1)).toEqual([{ since: START, until: START + MINUTE_MS, backfilled: true }]);
});

test('unconfirmed is announced like blind; what follows a degraded feed is announced without another minute', async () => {
  const { store, clock, told, look } = noticed();
  await store.writePosition({ since: START - 1, confirmedUntil: START, oldestWaiting: null });
  await store.putWindow({ ...BLIND, cause: 'unconfirmed' });
  await clock.advance(MINUTE_MS);
  await look();
  const endedAt = clock.now();
  await store.putWindow({ ...BLIND, cause: 'unconfirmed', endedAt });
  await store.putWindow({ ...BLIND, id: 'blind_2', startedAt: endedAt });
  for (const _ of ['once', 'again']) await look();

  expect(told).toEqual([
    { since: START, cause: 'unconfirmed', reason: null, factsDelayed: null },
    { since: endedAt, cause: 'refused', reason: 'refused', factsDelayed: null },
  ]);
});
