import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { fillKey } from '../../../../../src/core/detection/fill-hash.ts';
import type { LiveRow } from '../../../../../src/core/trades/source/source.ts';
import { TRADE_SOURCES, type Trade, type TradeSource } from '../../../../../src/core/trades/trade.ts';
import { HELD_MS, SourceMerger } from '../../../../../src/infra/market/polymarket/merge/source-merger.ts';
import { createFakeClock } from '../../../../support/clock.ts';
import { liveTrade } from '../../../../support/polymarket/upstream-rows.ts';
import { START } from '../../../../support/rows.ts';

async function startMerger() {
  const clock = createFakeClock(START);
  const known = new Set<string>();
  const enqueued: { transaction: string; isWhole: boolean }[] = [];
  const rows: LiveRow[] = [];
  const late: TradeSource[] = [];
  const state = { leader: 'polling' as TradeSource, isHolding: false, room: Promise.resolve() };
  const merger = new SourceMerger({
    clock,
    metrics: { feedTradesLate: (source, count) => late.push(...Array(count).fill(source)) },
    leader: () => state.leader,
    knows: (trade) => known.has(fillKey(trade)),
    async enqueue(given, { isWhole } = { isWhole: false }) {
      rows.push(...given);
      for (const row of given) {
        const trade = tradeOf(row);
        if (known.has(fillKey(trade))) throw new Error('offered twice');
        known.add(fillKey(trade));
        enqueued.push({ transaction: trade.transaction, isWhole });
      }
      await state.room;
    },
  });
  const stop = new AbortController();
  const ended = merger.run(stop.signal, () => ({ isPollingBehind: state.isHolding }));
  onTestFinished(async () => {
    stop.abort();
    await ended;
  });
  await clock.asleep();
  const transactions = () => enqueued.map(({ transaction }) => transaction);
  return { clock, merger, state, enqueued, rows, late, transactions };
}

function tradeOf({ row }: LiveRow): Trade {
  if (row.kind !== 'trade') throw new Error(row.kind);
  return row.trade;
}

const row = (transaction: string, ageMs = 0) => liveTrade({ transaction, at: START - ageMs });

test('rows of the leader pass immediately, and whole blocks stay whole', async () => {
  const { merger, state, enqueued } = await startMerger();
  state.leader = 'node';
  await merger.show('node', [row('0x1'), row('0x2')], true);
  expect(enqueued).toEqual([
    { transaction: '0x1', isWhole: true },
    { transaction: '0x2', isWhole: true },
  ]);
});

test('what another source shows waits until the leader shows it, and passes once', async () => {
  const { merger, state, clock, transactions, late } = await startMerger();
  state.leader = 'node';
  merger.push('stream', row('0x1'));
  await merger.show('polling', [row('0x1'), row('0x2')]);
  await clock.advance(1_000);
  expect(transactions()).toEqual([]);
  await merger.show('node', [row('0x2'), row('0x1')]);
  await clock.advance(2 * HELD_MS);
  expect(transactions()).toEqual(['0x2', '0x1']);
  expect([late, merger.held]).toEqual([[], 0]);
});

test('what the leader has not shown is passed on when it is 12 s old, oldest first, and counted as late', async () => {
  const { merger, state, clock, transactions, late } = await startMerger();
  state.leader = 'stream';
  await merger.show('polling', [row('0xnew'), row('0xolder', 5_000)]);
  await clock.advance(HELD_MS - 6_000);
  expect(transactions()).toEqual([]);
  await clock.advance(1_000);
  expect(transactions()).toEqual(['0xolder']);
  await clock.advance(5_000);
  expect(transactions()).toEqual(['0xolder', '0xnew']);
  expect(late).toEqual(['polling', 'polling']);
});

test('what is read back from long ago passes immediately, whichever source leads', async () => {
  const { merger, state, transactions } = await startMerger();
  state.leader = 'node';
  await merger.show('polling', [row('0x1', 3_600_000), row('0x2', HELD_MS)]);
  expect(transactions()).toEqual(['0x1', '0x2']);
});

test('when the leader changes, what the new one has shown passes immediately', async () => {
  const { merger, state, clock, transactions } = await startMerger();
  state.leader = 'node';
  await merger.show('polling', [row('0x1')]);
  merger.push('stream', row('0x1'));
  merger.push('stream', row('0x2'));
  state.leader = 'stream';
  await clock.advance(500);
  expect(transactions().toSorted()).toEqual(['0x1', '0x2']);
});

test('a row that the leading stream pushes passes without a wait', async () => {
  const { merger, state, clock, transactions } = await startMerger();
  state.leader = 'stream';
  await clock.asleep();
  merger.push('stream', row('0x1'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(transactions()).toEqual(['0x1']);
});

const fill = (transaction: string, at: number, shares: number): LiveRow => {
  const timestamp = at / 1_000;
  return {
    ...liveTrade({ transaction, at, shares }),
    line: JSON.stringify({ transaction, timestamp, shares }),
  };
};

test('the fills of a transaction are of one second, whichever source shows them: that of the first', async () => {
  const { clock, merger, state, rows } = await startMerger();
  state.leader = 'stream';
  merger.push('stream', fill('0x1', START - 1_000, 10));
  await clock.advance(500);
  await merger.show('polling', [fill('0x1', START, 10), fill('0x1', START, 20), fill('0x2', START, 20)]);
  await clock.advance(HELD_MS);
  merger.push('stream', fill('0x2', START - 1_000, 30));
  await clock.advance(500);
  state.leader = 'node';
  await merger.show('node', [fill('0x1', START, 40), fill('0x3', START, 50)], true);

  const shown = rows.map((row) => [tradeOf(row).transaction, tradeOf(row).shares, row.row.at]);
  expect(shown).toEqual([
    ['0x1', 10, START - 1_000],
    ['0x1', 20, START - 1_000],
    ['0x2', 20, START],
    ['0x2', 30, START],
    ['0x1', 40, START - 1_000],
    ['0x3', 50, START],
  ]);
  for (const row of rows) {
    expect(tradeOf(row).at).toBe(row.row.at);
    expect(JSON.parse(row.line).timestamp * 1_000).toBe(row.row.at);
  }
});

test('rows of one transaction that are seconds apart keep their own seconds', async () => {
  const { merger, rows } = await startMerger();
  await merger.show('polling', [fill('0x1', START - 2_000, 10), fill('0x1', START, 20)]);
  expect(rows.map(({ row: { at } }) => at)).toEqual([START - 2_000, START]);
});

test('nothing of the stream overtakes what is read back from long ago', async () => {
  const { merger, state, clock, transactions } = await startMerger();
  state.isHolding = true;
  merger.push('stream', row('0xnew'));
  await merger.show('polling', [row('0xold', 86_400_000)]);
  await clock.advance(3 * HELD_MS);
  expect(transactions()).toEqual(['0xold']);
  state.isHolding = false;
  await clock.advance(500);
  expect(transactions()).toEqual(['0xold', '0xnew']);
});

test.each(['polling', 'node'] as const)(
  'what %s reads back is not held, though another source leads still',
  async (source) => {
    const { merger, state, clock, transactions } = await startMerger();
    Object.assign(state, { leader: 'stream', isHolding: true });
    await merger.show(source, [row('0xold', 86_400_000), row('0xnew')]);
    expect(transactions()).toEqual(['0xold']);
    await clock.advance(HELD_MS);
    expect(transactions()).toEqual(['0xold', '0xnew']);
  },
);

test('the oldest trade that is held, or released and not taken yet, is known', async () => {
  const { merger, state, clock } = await startMerger();
  expect(merger.oldestAt()).toBeNull();
  const room = Promise.withResolvers<void>();
  state.room = room.promise;
  merger.push('stream', row('0x1', 5_000));
  merger.push('stream', row('0x2'));
  await clock.advance(HELD_MS - 4_000);
  expect([merger.held, merger.oldestAt()]).toEqual([1, START - 5_000]);
  room.resolve();
  await clock.asleep();
  expect(merger.oldestAt()).toBe(START);
});

test('property: whatever sources show, lose and repeat, each trade that one of them shows is passed on once', async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('leader' as const), source: fc.constantFrom(...TRADE_SOURCES) }),
    fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 5_000 }) }),
    fc.record({
      kind: fc.constant('show' as const),
      source: fc.constantFrom(...TRADE_SOURCES),
      trades: fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 4 }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { merger, state, clock, transactions } = await startMerger();
      // What was pushed has ended the pause, and the next one has begun.
      const woken = () => new Promise((resolve) => setImmediate(resolve)).then(() => clock.asleep());
      const shown = new Set<string>();
      for (const one of steps) {
        if (one.kind === 'leader') state.leader = one.source;
        else if (one.kind === 'wait') await woken().then(() => clock.advance(one.ms));
        else {
          for (const n of one.trades) shown.add(`0x${n}`);
          const rows = [...new Set(one.trades)].map((n) => row(`0x${n}`));
          if (one.source === 'stream') for (const each of rows) merger.push('stream', each);
          else await merger.show(one.source, rows);
        }
      }
      await woken();
      await clock.advance(HELD_MS + 1_000);
      expect(transactions().toSorted()).toEqual([...shown].toSorted());
    }),
    { numRuns: 60 },
  );
});
