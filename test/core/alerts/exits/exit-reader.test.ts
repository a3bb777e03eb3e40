import { describe, expect, onTestFinished, test } from 'vitest';
import type { Alert } from '../../../../src/core/alerts/alert.ts';
import type { Exit } from '../../../../src/core/alerts/exits/exit.ts';
import { ExitReader } from '../../../../src/core/alerts/exits/exit-reader.ts';
import { openDatabase } from '../../../../src/infra/database/database.ts';
import { alertOf, exitOf } from '../../../support/alerts.ts';
import { appendDrafts } from '../../../support/log-entries.ts';
import { START } from '../../../support/rows.ts';
import { settleMarket, storeAlerts, storeExits } from '../../../support/stored.ts';

const NOW = START + 1_000_000;
const ENTRY = { kind: 'rules', at: START, body: {} } as const;
const FIRST = alertOf({ id: 1, log: { seq: 2, hash: 'a'.repeat(64) } });

/** A thread of two alerts, the second one newest, whose first has entry 2 of the log. */
async function openThread(newest: Partial<Alert> = {}) {
  const database = await openDatabase('sqlite::memory:');
  onTestFinished(() => database.close());
  let rules = 0;
  const lost = () => {
    rules += 1;
    return appendDrafts(database.log, [{ ...ENTRY, key: `rules:${rules}` }]);
  };
  await lost();
  const second = alertOf({ id: 2, threadId: 1, supersedes: 1, ...newest });
  await storeAlerts(database, FIRST, second);
  const reader = new ExitReader(database);
  return {
    database,
    reader,
    append: (...exits: readonly Exit[]) => storeExits(database, ...exits),
    /** Of both alerts: they are one position. */
    async state(until = Number.POSITIVE_INFINITY) {
      const [one, other] = [await reader.ofAlert(FIRST, until), await reader.ofAlert(second, until)];
      expect(one).toEqual(other);
      return one.state;
    },
    lost,
    blind: (startedAt: number, endedAt: number | null, backfilledAt: number | null = null) =>
      database.coverage.putWindow({ id: 'w', startedAt, endedAt, backfilledAt, cause: 'stopped' }),
    settle: (at: number) => settleMarket(database, { marketId: FIRST.marketId, at }),
  };
}

test('an exit that another process has just entered is found by its number, however seldom the log is read', async () => {
  const { database, reader, append } = await openThread();
  await database.alertIndex.follow();
  await append(exitOf({ number: 1, alertIds: [1, 2] }));
  expect(await reader.last()).toBe(0);
  expect(await reader.one(1)).toMatchObject({ number: 1 });
  expect(await reader.one(2)).toBeNull();
});

test('the bet of each alert is as of the newest alert and the last exit of its thread, as far as they existed', async () => {
  const { details } = FIRST;
  const grown = { ...details, marketBuyCount: 3, marketTotalBought: 4_500, positionShares: 10_000 };
  const { reader, append } = await openThread({ details: grown, createdAt: FIRST.createdAt + 1_000 });
  const at = FIRST.createdAt + 2_000;
  await append(exitOf({ number: 1, alertIds: [1, 2], heldShares: 30, peakShares: 100, createdAt: at }));
  const seen = async (until: number) => {
    const { putInUsdc, heldShare } = (await reader.bets([FIRST], until)).get(1) ?? {};
    return [putInUsdc, heldShare];
  };

  expect(await seen(at)).toEqual([4_500, 0.3]);
  expect(await seen(at - 1)).toEqual([4_500, 1]);
  expect(await seen(FIRST.createdAt)).toEqual([2_000, 1]);
});

describe('the state of a position', () => {
  test('is none while all its trades are seen, and losses before its first alert do not count', async () => {
    const { state, blind } = await openThread();
    await blind(START - 2_000, FIRST.tradedAt - 1);
    expect(await state()).toBe('none');
  });

  test('is that of its last exit, whatever was missed', async () => {
    const { state, append, lost } = await openThread();
    await append(
      exitOf({ number: 1, createdAt: NOW }),
      exitOf({ number: 2, level: 'out', createdAt: NOW + 1 }),
    );
    expect([await state(NOW - 1), await state(NOW), await state()]).toEqual(['none', 'half', 'out']);
    await lost();
    expect(await state()).toBe('out');
  });

  test('is unknown when its newest visible alert does not know its position', async () => {
    const details = { ...FIRST.details, isPositionKnown: false };
    const { reader, state } = await openThread({ details, createdAt: NOW });
    expect(await state()).toBe('unknown');
    expect((await reader.ofAlert(FIRST, NOW - 1)).state).toBe('none');
  });

  test('is unknown after positions were lost, unless its market was settled before', async () => {
    const open = await openThread();
    await open.lost();
    expect(await open.state()).toBe('unknown');
    const settled = await openThread();
    await settled.settle(NOW);
    await settled.lost();
    expect(await settled.state()).toBe('none');
  });

  test('is unknown after a blind window that is not backfilled, unless its market was settled before', async () => {
    const { state, blind, settle } = await openThread();
    await blind(NOW, null);
    expect([await state(NOW - 1), await state(NOW)]).toEqual(['none', 'unknown']);
    await blind(NOW, NOW + 1_000, NOW + 2_000);
    expect(await state()).toBe('none');
    await blind(NOW, NOW + 1_000);
    expect(await state()).toBe('unknown');
    await settle(NOW - 1);
    expect(await state()).toBe('none');
  });
});

test('the last number, and an exit by its number, are those that existed at a moment', async () => {
  const { reader, append } = await openThread();
  expect(await reader.last()).toBe(0);
  await append(...[1, 2, 3].map((number) => exitOf({ number, createdAt: NOW + number })));
  expect([await reader.last(), await reader.last(NOW + 2), await reader.last(NOW)]).toEqual([3, 2, 0]);
  const seen = await Promise.all([2, 3, 9].map((number) => reader.one(number, NOW + 2)));
  expect(seen.map((exit) => exit?.number)).toEqual([2, undefined, undefined]);
  expect((await reader.one(3))?.number).toBe(3);
});

test('of a list, the newest alert of a thread has its last exit', async () => {
  const { reader, append } = await openThread();
  await append(exitOf({ number: 1, createdAt: NOW }), exitOf({ number: 2, threadId: 7, createdAt: NOW }));
  const list = [alertOf({ id: 2, threadId: 1, supersedes: 1 }), FIRST, alertOf({ id: 3 })];
  const found = await reader.ofList(list, NOW);
  expect([...found].map(([id, { number }]) => [id, number])).toEqual([[2, 1]]);
  expect((await reader.ofList(list, NOW - 1)).size).toBe(0);
});
