import { expect, onTestFinished, test } from 'vitest';
import type { LiveRow } from '../../../../src/core/ports/source.ts';
import type { Trade } from '../../../../src/core/trade.ts';
import { createSightings } from '../../../../src/infra/polymarket/trades/sightings.ts';
import { createFakeClock } from '../../../support/clock.ts';
import { liveTrade } from '../../../support/polymarket/upstream-rows.ts';
import { createRecordingLogger } from '../../../support/recording-logger.ts';
import { START } from '../../../support/rows.ts';

const MINUTES = 60_000;

function startSightings() {
  const clock = createFakeClock(START);
  const logger = createRecordingLogger();
  const known = new Set<string>();
  const offered: LiveRow[][] = [];
  const ends: string[] = [];
  const state = { isBlind: false, isBehind: false };
  const sightings = createSightings({
    clock,
    logger,
    metrics: { sightingEnded: (end) => ends.push(end) },
    isBlind: () => state.isBlind,
    isBehind: () => state.isBehind,
    knows: ({ transaction }) => known.has(transaction),
    async offer(rows) {
      offered.push([...rows]);
      // The intake knows what it was offered.
      for (const row of rows) known.add(tradeOfRow(row).transaction);
    },
  });
  const stop = new AbortController();
  const ended = sightings.run(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await ended;
  });
  return { clock, logger, known, offered, ends, state, sightings, stop, ended };
}

function tradeOfRow({ row }: LiveRow): Trade {
  if (row.kind !== 'trade') throw new Error(row.kind);
  return row.trade;
}

const learn = (known: Set<string>, row: LiveRow) => known.add(tradeOfRow(row).transaction);

test('a new trade is a sighting, also an old one, each once however often it is shown', () => {
  const { sightings } = startSightings();
  const row = liveTrade();
  sightings.saw(row);
  sightings.saw({ ...row });
  expect(sightings.size).toBe(1);
  sightings.saw(liveTrade({ at: START - 60 * MINUTES }));
  expect(sightings.size).toBe(2);
});

test('what polling knew already is no sighting and is not counted', async () => {
  const { sightings, known, ends, clock } = startSightings();
  const row = liveTrade();
  learn(known, row);
  sightings.saw(row);
  await clock.advance(11 * MINUTES);
  expect([sightings.size, ends]).toEqual([0, []]);
});

test('a sighting ends confirmed once polling knows the fill, and it is not offered', async () => {
  const { sightings, clock, known, ends, offered } = startSightings();
  const row = liveTrade();
  sightings.saw(row);
  await clock.advance(1_000);
  expect(ends).toEqual([]);
  learn(known, row);
  await clock.advance(1_000);
  expect(ends).toEqual(['confirmed']);
  expect([sightings.size, offered]).toEqual([0, []]);
});

test('a sighting ends confirmed at once when polling lists it, by the fill’s key, and is counted once', () => {
  const { sightings, ends } = startSightings();
  const row = liveTrade();
  sightings.saw(row);
  sightings.listed({ ...tradeOfRow(row), at: START + 1_000, title: 'renamed' });
  sightings.listed(tradeOfRow(row));
  expect(ends).toEqual(['confirmed']);
});

test('ten minutes without polling listing it end a sighting unconfirmed, and that is logged once a minute at most', async () => {
  const { sightings, clock, ends, logger } = startSightings();
  for (let count = 0; count < 5; count++) sightings.saw(liveTrade());
  await clock.advance(10 * MINUTES - 1_000);
  expect(ends).toEqual([]);
  for (let count = 0; count < 5; count++) sightings.saw(liveTrade());
  await clock.advance(2_000);
  expect(ends).toEqual(Array.from({ length: 5 }, () => 'unconfirmed'));
  expect(logger.lines).toHaveLength(1);
  await clock.advance(10 * MINUTES);
  expect(ends).toHaveLength(10);
  expect(logger.lines.map(({ level, fields }) => [level, fields])).toEqual([
    ['warn', { fills: 1 }],
    ['warn', { fills: 5 }],
  ]);
});

test('while polling is blind its sightings are offered, oldest first, each once', async () => {
  const { sightings, clock, state, offered } = startSightings();
  const [late, early, middle] = [START, START - 5_000, START - 1_000].map((at) => liveTrade({ at })) as [
    LiveRow,
    LiveRow,
    LiveRow,
  ];
  for (const row of [late, early]) sightings.saw(row);
  state.isBlind = true;
  sightings.saw(middle);
  await clock.advance(1_000);
  expect(offered).toEqual([[early, middle, late]]);
  for (const row of [late, early, middle]) sightings.saw(row);
  await clock.advance(5_000);
  expect(offered).toHaveLength(1);
});

test('being offered confirms nothing; polling does, however long it was blind', async () => {
  const { sightings, clock, state, ends } = startSightings();
  const row = liveTrade();
  sightings.saw(row);
  state.isBlind = true;
  await clock.advance(60 * MINUTES);
  expect(ends).toEqual([]);
  state.isBlind = false;
  await clock.advance(9 * MINUTES);
  expect(ends).toEqual([]);
  sightings.listed(tradeOfRow(row));
  expect(ends).toEqual(['confirmed']);
});

test('what was offered and polling never lists is unconfirmed ten minutes after the end of blindness', async () => {
  const { sightings, clock, state, ends } = startSightings();
  sightings.saw(liveTrade());
  state.isBlind = true;
  await clock.advance(60 * MINUTES);
  state.isBlind = false;
  await clock.advance(11 * MINUTES);
  expect(ends).toEqual(['unconfirmed']);
});

test('no more than 20,000 are remembered, the oldest are forgotten first, and none has a timer of its own', async () => {
  const { sightings, clock, state, offered } = startSightings();
  const rows = Array.from({ length: 20_010 }, () => liveTrade());
  for (const row of rows) sightings.saw(row);
  expect(sightings.size).toBe(20_000);
  expect(clock.sleepers).toBe(1);
  state.isBlind = true;
  await clock.advance(1_000);
  expect(offered.flat().map(({ line }) => line)).toEqual(rows.slice(10).map(({ line }) => line));
});

test('stopped, it leaves no timer', async () => {
  const { stop, ended, clock } = startSightings();
  stop.abort();
  await ended;
  expect(clock.sleepers).toBe(0);
});

test('while polling catches up nothing is offered: older trades would come too late to be judged', async () => {
  const { sightings, state, clock, offered, ends } = startSightings();
  Object.assign(state, { isBlind: true, isBehind: true });
  sightings.saw(liveTrade());
  await clock.advance(60 * MINUTES);
  expect([offered, ends, sightings.size]).toEqual([[], [], 1]);
  state.isBehind = false;
  await clock.advance(1_000);
  expect(offered).toHaveLength(1);
});

test('what was seen after a moment and is not listed for 15 s is told, and no more once it is listed', async () => {
  const { sightings, clock } = startSightings();
  await clock.advance(1_000);
  const row = liveTrade({ at: START - 4_000 });
  sightings.saw(row);
  await clock.advance(14_999);
  expect(sightings.unlistedSince(START)).toBeNull();
  await clock.advance(1);
  expect(sightings.unlistedSince(START)).toBe(START - 4_000);
  expect(sightings.unlistedSince(START + 1_000)).toBeNull();
  sightings.listed(tradeOfRow(row));
  expect(sightings.unlistedSince(START)).toBeNull();
});
