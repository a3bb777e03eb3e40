import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Alert } from '../../../src/core/alerts/alert.ts';
import { enterWithdrawal } from '../../../src/core/alerts/withdrawal.ts';
import { sha256 } from '../../../src/infra/secrets/key-crypto.ts';
import { alertOf, exitOf } from '../../support/alerts.ts';
import { START } from '../../support/rows.ts';
import { settleMarket, storeAlerts, storeExits } from '../../support/stored.ts';
import { onEachDatabase } from './each-database.ts';
import { enterAlerts, numbered, unnumbered } from './random-alerts.ts';

const idsOf = (alerts: readonly Alert[]) => alerts.map(({ id }) => id);

onEachDatabase('alert store', (fixture) => {
  test('an alert comes back equal to the bit, whatever it holds, also as the last of its thread', async () => {
    await fc.assert(
      fc.asyncProperty(unnumbered, async (given) => {
        const { alerts, log } = fixture.database;
        const id = ((await alerts.last())?.id ?? 0) + 1;
        const [alert] = (await enterAlerts(log, numbered([{ ...given, marketId: `0xm${id}` }], id))) as [
          Alert,
        ];

        expect(await alerts.byId(id)).toStrictEqual(alert);
        expect(await alerts.last()).toStrictEqual(alert);
        expect(await alerts.after(id - 1, 1)).toStrictEqual([alert]);
        expect((await alerts.thread(alert)).at(-1)).toBe(id);
      }),
      { numRuns: 60, interruptAfterTimeLimit: 20_000 },
    );
  });

  test('latest includes what was created at the moment given, and nothing later, the newest first; after gives the oldest first', async () => {
    const { alerts } = fixture.database;
    const times = [0, 10, 10, 20].map((offset) => START + offset);
    await storeAlerts(
      fixture.database,
      ...times.map((createdAt, index) => alertOf({ id: index + 1, createdAt })),
    );

    expect(idsOf(await alerts.latest({ limit: 10, until: START - 1 }))).toEqual([]);
    expect(idsOf(await alerts.latest({ limit: 10, until: START + 9 }))).toEqual([1]);
    expect(idsOf(await alerts.latest({ limit: 10, until: START + 10 }))).toEqual([3, 2, 1]);
    expect(idsOf(await alerts.latest({ limit: 1, until: START + 19 }))).toEqual([3]);
    expect(idsOf(await alerts.latest({ limit: 2 }))).toEqual([4, 3]);
    expect(idsOf(await alerts.after(1, 2))).toEqual([2, 3]);
  });

  test('a thread has its alerts, and is stated by the newest of them that a caller sees', async () => {
    const { alerts } = fixture.database;
    const [first, other, next] = [
      alertOf({ id: 1 }),
      alertOf({ id: 2, side: 'SELL' }),
      alertOf({ id: 3, threadId: 1, supersedes: 1 }),
    ] as const;
    await storeAlerts(fixture.database, first, other, next);

    expect(await alerts.thread(first)).toEqual([1, 3]);
    const both = [first, other];
    expect(idsOf(await alerts.newestOfThreads(both, next.createdAt))).toEqual([3, 2]);
    expect(idsOf(await alerts.newestOfThreads(both, next.createdAt - 1))).toEqual([1, 2]);
  });

  test('alerts and exits of a market get the slug of its event once it is known; others keep theirs', async () => {
    const { alerts, exits, markets } = fixture.database;
    await storeAlerts(
      fixture.database,
      alertOf({ id: 1, marketEvent: null }),
      alertOf({ id: 2, marketId: '0xm2', marketEvent: null }),
      alertOf({ id: 3, marketId: '0xm3', marketEvent: null }),
      alertOf({ id: 4, marketId: '0xm3', marketEvent: 'first' }),
    );
    await storeExits(fixture.database, exitOf({ number: 1 }));
    expect(await exits.after(0, 9)).toMatchObject([{ marketEvent: null }]);
    expect((await alerts.marketsWithoutEvent()).toSorted()).toEqual(['0xm1', '0xm2']);
    expect(await alerts.marketsOfEvent('first', { limit: 9 })).toEqual(['0xm3']);
    await markets.nameEvent('0xm1', 'later');
    await markets.nameEvent('0xm1', 'too-late');
    const { alerts: read, exits: readExits } = await fixture.another();
    expect((await read.after(0, 9)).map(({ marketEvent }) => marketEvent)).toEqual([
      'later',
      null,
      'first',
      'first',
    ]);
    expect(await readExits.after(0, 9)).toMatchObject([{ marketEvent: 'later' }]);
    expect(await read.marketsWithoutEvent()).toEqual(['0xm2']);
    expect(await read.marketsOfEvent('later', { limit: 1 })).toEqual(['0xm1']);
    expect(await read.marketsOfEvent('first', { limit: 9, until: 0 })).toEqual([]);
  });

  test('an alert that another process has just entered is found by its id, however seldom the log is read', async () => {
    const { alerts, alertIndex } = fixture.database;
    await storeAlerts(fixture.database, alertOf({ id: 1 }));
    await alertIndex.follow();
    const another = await fixture.another();
    await storeAlerts(another, alertOf({ id: 2 }));
    expect(idsOf(await alerts.after(0, 9))).toEqual([1]);
    expect(await alerts.byId(2)).toStrictEqual(await another.alerts.byId(2));
    await storeAlerts(another, alertOf({ id: 3 }));
    expect(await alerts.visible(3, Number.MAX_SAFE_INTEGER)).toStrictEqual(await another.alerts.byId(3));
    expect(await alerts.byId(4)).toBeNull();
  });

  test('a withdrawn alert has its first mark and is otherwise as it was, wherever it is read', async () => {
    const { alerts, log } = fixture.database;
    await storeAlerts(fixture.database, alertOf({ id: 1 }), alertOf({ id: 2 }));
    const [first, second] = await alerts.after(0, 2);
    const at = START + 9_000;
    for (const reason of [null, 'wrong market'])
      await enterWithdrawal({ log, sha256 }, { alertId: 1, at, reason });

    const marked = { ...first, withdrawn: { at, reason: null } };
    const others = (await fixture.another()).alerts;
    expect(await others.after(0, 10)).toStrictEqual([marked, second]);
    expect((await others.search({}, { page: 1, pageSize: 10 })).alerts).toStrictEqual([second, marked]);
    expect(await others.visible(1, at - 1)).toStrictEqual(first);
  });

  test('markets of unresolved alerts are walked page by page, though some are resolved in between', async () => {
    const { alerts } = fixture.database;
    const markets = ['0xa', '0xb', '0xa', '0xc', '0xd'];
    await storeAlerts(
      fixture.database,
      ...markets.map((marketId, index) => alertOf({ id: index + 1, marketId })),
    );
    const page = (afterId: number) => alerts.unresolvedMarkets({ afterId, limit: 2 });

    const first = await page(0);
    await settleMarket(fixture.database, { marketId: '0xc' });
    const second = await page(first.lastId ?? 0);

    expect(first).toStrictEqual({ marketIds: ['0xa', '0xb'], lastId: 2 });
    expect(second).toStrictEqual({ marketIds: ['0xa', '0xd'], lastId: 5 });
    expect(await page(second.lastId ?? 0)).toStrictEqual({ marketIds: [], lastId: null });
  });

  test('every alert of a market has its result by the last settlement, or none if that does not name its outcome', async () => {
    const { alerts } = fixture.database;
    const ids = Array.from({ length: 1_005 }, (_, index) => index + 1);
    const outcomeOf = (id: number) => (id % 3 === 0 ? { outcome: '?', outcomeIndex: 2 } : {});
    await storeAlerts(
      fixture.database,
      ...ids.map((id) => alertOf({ id, shares: id, entryPrice: 0.5, ...outcomeOf(id) })),
    );
    const profits = async () =>
      (await alerts.after(0, 5_000)).map(({ resolution }) => resolution?.profitUsdc);
    const expected = (perShare: number) => ids.map((id) => (id % 3 === 0 ? undefined : id * perShare));

    await settleMarket(fixture.database);
    expect(await profits()).toEqual(expected(0.5));
    await settleMarket(fixture.database, { payouts: [0, 1] });
    expect(await profits()).toEqual(expected(-0.5));
  });
});
