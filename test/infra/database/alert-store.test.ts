import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Alert, Resolution } from '../../../src/core/alerts/alert.ts';
import { threadKey } from '../../../src/core/alerts/ledger/thread.ts';
import { alertOf, exitOf } from '../../support/alerts.ts';
import { START } from '../../support/rows.ts';
import { onEachDatabase } from './each-database.ts';
import { numbered, unnumbered } from './random-alerts.ts';

const WON: Resolution = { payout: 1, won: true, profitUsdc: 3000.25 };
const LOST: Resolution = { payout: 0, won: false, profitUsdc: -2000 };

const idsOf = (alerts: readonly Alert[]) => alerts.map(({ id }) => id);

onEachDatabase('alert store', (fixture) => {
  async function appendAll(alerts: readonly Alert[]) {
    for (const alert of alerts) expect(await fixture.database.alerts.append(alert)).toBe('appended');
  }

  test('an alert comes back equal to the bit, whatever it holds, also as the last of its thread', async () => {
    await fc.assert(
      fc.asyncProperty(unnumbered, async (given) => {
        const { alerts } = fixture.database;
        const id = ((await alerts.last())?.id ?? 0) + 1;
        const [alert] = numbered([given], id) as [Alert];

        await alerts.append(alert);

        expect(await alerts.byId(id)).toStrictEqual(alert);
        expect(await alerts.last()).toStrictEqual(alert);
        expect(await alerts.after(id - 1, 1)).toStrictEqual([alert]);
        const { key, tradedAt, createdAt } = alert;
        const entry = { id, key, tradedAt, createdAt, thread: threadKey(alert) };
        expect((await alerts.threads([threadKey(alert)])).at(-1)).toStrictEqual(entry);
      }),
      { numRuns: 60, interruptAfterTimeLimit: 20_000 },
    );
  });

  test('an alert or an exit that gets another position in the log keeps all else, and others keep theirs', async () => {
    const { alerts, exits } = fixture.database;
    const log = { sequence: 7, hash: 'a'.repeat(64) };
    const resolution = { payout: 1, won: true, profitUsdc: 3_000 };
    const [first, second] = [alertOf({ id: 1, log, resolution }), alertOf({ id: 2, log })];
    await appendAll([first, second]);

    const other = { sequence: 9, hash: 'b'.repeat(64) };
    await alerts.setLog(1, other);

    expect(await alerts.after(0, 10)).toStrictEqual([{ ...first, log: other }, second]);
    const exit = exitOf({ number: 1, log });
    await exits.append(exit);
    await exits.setLog(1, other);
    expect(await exits.last()).toStrictEqual({ ...exit, log: other });
  });

  test('a taken id or key is refused, and nothing is overwritten', async () => {
    const { alerts } = fixture.database;
    await appendAll([alertOf({ id: 1, key: 'a' }), alertOf({ id: 2, key: 'b' })]);

    expect(await alerts.append(alertOf({ id: 1, key: 'c' }))).toBe('taken');
    expect(await alerts.append(alertOf({ id: 3, key: 'a' }))).toBe('taken');
    expect(await alerts.append(alertOf({ id: 1, key: 'a', score: 1 }))).toBe('taken');

    expect(await alerts.after(0, 10)).toStrictEqual([
      alertOf({ id: 1, key: 'a' }),
      alertOf({ id: 2, key: 'b' }),
    ]);
  });

  test('latest includes what was created at the moment given, and nothing later, the newest first; after gives the oldest first', async () => {
    const { alerts } = fixture.database;
    const times = [0, 10, 10, 20].map((offset) => START + offset);
    await appendAll(times.map((createdAt, index) => alertOf({ id: index + 1, createdAt })));

    expect(idsOf(await alerts.latest({ limit: 10, until: START - 1 }))).toEqual([]);
    expect(idsOf(await alerts.latest({ limit: 10, until: START + 9 }))).toEqual([1]);
    expect(idsOf(await alerts.latest({ limit: 10, until: START + 10 }))).toEqual([3, 2, 1]);
    expect(idsOf(await alerts.latest({ limit: 1, until: START + 19 }))).toEqual([3]);
    expect(idsOf(await alerts.latest({ limit: 2 }))).toEqual([4, 3]);
    expect(idsOf(await alerts.after(1, 2))).toEqual([2, 3]);
  });

  test('alerts and exits of a market get the slug of its event once it is known; others keep theirs', async () => {
    const { alerts, exits } = fixture.database;
    await alerts.append(
      alertOf({ id: 1, marketEvent: null }),
      alertOf({ id: 2, marketEvent: 'first' }),
      alertOf({ id: 3, marketId: '0xm2', marketEvent: null }),
      alertOf({ id: 4, marketId: '0xm3', marketEvent: 'first' }),
    );
    await exits.append(exitOf({ number: 1, marketEvent: null }));
    expect((await alerts.marketsWithoutEvent()).toSorted()).toEqual(['0xm1', '0xm2']);
    expect(await alerts.marketsOfEvent('first', { limit: 9 })).toEqual(['0xm3', '0xm1']);
    await alerts.nameEvent('0xm1', 'later');
    const { alerts: read } = await fixture.another();
    expect((await read.after(0, 9)).map(({ marketEvent }) => marketEvent)).toEqual([
      'later',
      'first',
      null,
      'first',
    ]);
    expect(await exits.last()).toMatchObject({ marketEvent: 'later' });
    expect(await read.marketsWithoutEvent()).toEqual(['0xm2']);
    expect(await read.marketsOfEvent('later', { limit: 1 })).toEqual(['0xm1']);
    expect(await read.marketsOfEvent('first', { limit: 9, until: 0 })).toEqual([]);
  });

  test('a withdrawn alert has its first mark and is otherwise as it was, wherever it is read', async () => {
    const { alerts } = fixture.database;
    const [first, second] = [alertOf({ id: 1 }), alertOf({ id: 2 })];
    await appendAll([first, second]);
    await alerts.withdraw(1, { at: START, reason: null });
    await alerts.withdraw(1, { at: START + 1, reason: 'wrong market' });

    const marked = { ...first, withdrawn: { at: START, reason: null } };
    const others = (await fixture.another()).alerts;
    expect(await others.after(0, 10)).toStrictEqual([marked, second]);
    expect((await others.search({}, { page: 1, pageSize: 10 })).alerts).toStrictEqual([second, marked]);
  });

  test('markets of unresolved alerts are walked page by page, though some are resolved in between', async () => {
    const { alerts } = fixture.database;
    const markets = ['0xa', '0xb', '0xa', '0xc', '0xd'];
    await appendAll(markets.map((marketId, index) => alertOf({ id: index + 1, marketId })));
    const page = (afterId: number) => alerts.unresolvedMarkets({ afterId, limit: 2 });

    const first = await page(0);
    await alerts.resolveMarket('0xc', () => WON);
    const second = await page(first.lastId ?? 0);

    expect(first).toStrictEqual({ marketIds: ['0xa', '0xb'], lastId: 2 });
    expect(second).toStrictEqual({ marketIds: ['0xa', '0xd'], lastId: 5 });
    expect(await page(second.lastId ?? 0)).toStrictEqual({ marketIds: [], lastId: null });
  });

  describe('resolving a market', () => {
    const resolutionsOf = async () =>
      (await fixture.database.alerts.after(0, 5000)).map(({ resolution }) => resolution);

    test('leaves an alert as it is where nothing can be computed, and still counts it; a correction overwrites, without a negative zero', async () => {
      const { alerts } = fixture.database;
      await appendAll([alertOf({ id: 1 }), alertOf({ id: 2, resolution: WON }), alertOf({ id: 3 })]);

      const counted = await alerts.resolveMarket('0xm1', ({ id }) => (id === 3 ? LOST : null));

      expect(counted).toEqual({ resolved: 2, won: 1 });
      expect(await resolutionsOf()).toStrictEqual([null, WON, LOST]);
      const corrected = await alerts.resolveMarket('0xm1', () => ({ ...LOST, profitUsdc: -0 }));
      expect(corrected).toEqual({ resolved: 3, won: 0 });
      expect(await resolutionsOf()).toStrictEqual(new Array(3).fill({ ...LOST, profitUsdc: 0 }));
    });

    test('reaches every alert of a market with very many', async () => {
      const ids = Array.from({ length: 405 }, (_, index) => index + 1);
      await appendAll(ids.map((id) => alertOf({ id })));

      await fixture.database.alerts.resolveMarket('0xm1', ({ id }) => ({ ...WON, profitUsdc: id }));

      expect((await resolutionsOf()).map((resolution) => resolution?.profitUsdc)).toEqual(ids);
    });
  });
});
