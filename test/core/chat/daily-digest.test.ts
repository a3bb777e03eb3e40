import { expect, test } from 'vitest';
import type { Alert } from '../../../src/core/alerts/alert.ts';
import type { Exit } from '../../../src/core/alerts/exits/exit.ts';
import { SettlementReader } from '../../../src/core/alerts/settlements/settlement-reader.ts';
import { DAY_MS } from '../../../src/core/base/time/duration.ts';
import { digestMessages, makeDailyDigest } from '../../../src/core/chat/daily-digest.ts';
import { onSqlite } from '../../infra/database/each-database.ts';
import { alertOf, exitOf } from '../../support/alerts.ts';
import { digestOf, NO_CHANGES } from '../../support/chat/messages.ts';
import { START } from '../../support/rows.ts';
import { settleMarket, storeAlerts, storeExits } from '../../support/stored.ts';

const DAY = START - (START % DAY_MS);

function at(id: number, createdAt: number, given: Partial<Alert> = {}): Alert {
  const alert = alertOf({ id, createdAt, marketId: `0xm${id}`, eventSlug: `market-${id}`, ...given });
  const toWinUsdc = alert.usdc * (1 / alert.entryPrice - 1);
  return { ...alert, details: { ...alert.details, toWinUsdc } };
}

onSqlite('the digest of a day', (fixture) => {
  const made = (dayStart = DAY) => {
    const settlements = new SettlementReader(fixture.database);
    return makeDailyDigest({ ...fixture.database, settlements }, dayStart, ['telegram', 'discord']);
  };

  test('lists that day’s alerts and the record of 30 days', async () => {
    const market = { marketId: '0xhot', eventSlug: 'hot', eventTitle: 'Hot?', threadId: 4 };
    await storeAlerts(
      fixture.database,
      at(1, DAY - 40 * DAY_MS, { marketId: '0xold', entryPrice: 0.9 }),
      at(2, DAY - DAY_MS, { marketId: '0xlost', entryPrice: 0.6 }),
      at(3, DAY - 1),
      at(4, DAY, { ...market, score: 95, usdc: 100 }),
      at(5, DAY + 1, { ...market, score: 90, usdc: 200, type: 'cluster', supersedes: 4 }),
      at(6, DAY + 2, { score: 99, isHistory: true }),
      at(7, DAY + 3, { marketId: '0xlost', score: 70, usdc: 900, entryPrice: 0.2 }),
      at(8, DAY + DAY_MS - 1, { score: 70, usdc: 1_000 }),
      at(9, DAY + DAY_MS),
    );
    await settleMarket(fixture.database, { marketId: '0xhot' });
    for (const marketId of ['0xlost', '0xold'])
      await settleMarket(fixture.database, { marketId, payouts: [0, 1] });

    const digest = await made();

    expect(digest).toEqual({
      day: new Date(DAY).toISOString().slice(0, 10),
      bets: 3,
      byType: { cluster: 1, fresh: 2 },
      // Of different threads, the newest alert of each.
      changes: NO_CHANGES,
      record: { resolved: 3, markets: 2, won: 1, averageEntry: expect.closeTo(0.4, 9) },
    });
  });

  test('is a message for each channel, once a day, and fits a day without alerts', async () => {
    const { chat } = fixture.database;
    await storeAlerts(fixture.database, at(1, DAY - DAY_MS));

    const digest = await made();

    if (digest === null) throw new Error('no digest');
    expect(digest).toMatchObject({ bets: 0, record: { resolved: 0, averageEntry: null } });
    const messages = digestMessages(digest, ['telegram', 'discord'], START);
    const ids = [`digest:${digest.day}@telegram`, `digest:${digest.day}@discord`];
    expect(await chat.add(messages)).toEqual(ids);
    expect(await chat.add(digestMessages(digest, ['telegram'], START + 1))).toEqual([]);
    expect(await chat.byId(ids[0] ?? '')).toMatchObject({ facts: digest, dueAt: START });
  });

  test('lists what settled that day, whenever the alert was made: each thread once, losses included', async () => {
    const old = (id: number, given: Partial<Alert>) => at(id, DAY - 40 * DAY_MS, given);
    const order = { usdc: 5_000, shares: 10_000, entryPrice: 0.5 };
    await storeAlerts(
      fixture.database,
      old(1, { score: 63, ...order }),
      old(2, { threadId: 1, marketId: '0xm1', score: 62, ...order }),
      old(3, { score: 87, usdc: 60_000, shares: 500_000, entryPrice: 0.12 }),
      old(4, { isHistory: true }),
      old(5, { outcome: 'No', outcomeIndex: 1 }),
    );
    for (const [marketId, payouts, at] of [
      ['0xm5', [1, 0], DAY - 1],
      ['0xm1', [0, 1], DAY],
      ['0xm3', [0, 1], DAY + 1],
      ['0xm4', [1, 0], DAY + 2],
      // A correction counts, not what it corrects.
      ['0xm1', [1, 0], DAY + DAY_MS - 1],
      ['0xm5', [0.5, 0.5], DAY + DAY_MS],
    ] as const)
      await settleMarket(fixture.database, { marketId, payouts, at });

    const digest = await made();

    expect(digest).toMatchObject({ bets: 0, record: { resolved: 0 } });
    expect(digest?.changes).toMatchObject({
      ...{ won: 1, lost: 1 },
      settled: [
        { alertId: 3, winner: 'No' },
        { alertId: 2, winner: 'Yes' },
      ],
    });
    expect((await made(DAY + DAY_MS))?.changes.settled).toEqual([{ alertId: 5, winner: null }]);
  });

  test('lists what was sold that day, the largest profit or loss first', async () => {
    const sold = (number: number, given: Partial<Exit> = {}) =>
      exitOf({ key: `x${number}`, number, createdAt: DAY + number, ...given });
    await storeExits(
      fixture.database,
      sold(1, { createdAt: DAY - 1 }),
      sold(2, { profitUsdc: 10 }),
      sold(3, { profitUsdc: -9_000 }),
      sold(4, { isHistory: true }),
      sold(5, { createdAt: DAY + DAY_MS }),
    );
    expect((await made())?.changes).toMatchObject({ exits: [3, 2], moreExits: 0 });
  });

  test('after days that were missed has what was settled and sold since the digest before', async () => {
    const { chat } = fixture.database;
    await storeAlerts(fixture.database, at(1, DAY));
    const days = [-3, -2, -1, 0].map((day) => DAY + day * DAY_MS);
    await storeExits(
      fixture.database,
      ...days.map((createdAt, index) => exitOf({ key: `x${index}`, number: index + 1, createdAt })),
    );
    const numbers = async () => (await made())?.changes.exits;

    expect(await numbers()).toEqual([4]);
    await chat.add([digestOf(DAY - 3 * DAY_MS), digestOf(DAY - 2 * DAY_MS)]);
    await chat.giveUp(digestOf(DAY - 2 * DAY_MS).id, { state: 'dropped', error: 'too old', at: DAY });
    expect(await numbers()).toEqual([2, 3, 4]);
  });

  test('is not sent at all when the service had no alert in 30 days', async () => {
    await storeAlerts(fixture.database, at(1, DAY + DAY_MS));
    expect(digestMessages(await made(), ['telegram', 'discord'], START)).toEqual([]);
  });
});
