import { expect, test } from 'vitest';
import type { Alert } from '../../../src/core/alerts/alert.ts';
import { DAY_MS } from '../../../src/core/base/time/duration.ts';
import { digestMessages, makeDailyDigest } from '../../../src/core/chat/daily-digest.ts';
import { onEachDatabase } from '../../infra/database/each-database.ts';
import { alertOf } from '../../support/alerts.ts';
import { START } from '../../support/rows.ts';

const DAY = START - (START % DAY_MS);

function at(id: number, createdAt: number, given: Partial<Alert> = {}): Alert {
  return alertOf({ id, createdAt, marketId: `0xm${id}`, eventSlug: `market-${id}`, ...given });
}

onEachDatabase('the digest of a day', (fixture) => {
  test('has that day’s alerts, its markets, what is settled of them, losses included, and the record of 30 days', async () => {
    const { alerts } = fixture.database;
    const market = { marketId: '0xhot', eventSlug: 'hot', eventTitle: 'Hot?', threadId: 4 };
    const all = [
      at(1, DAY - 40 * DAY_MS, { marketId: '0xold', entryPrice: 0.9 }),
      at(2, DAY - DAY_MS, { marketId: '0xlost', entryPrice: 0.6 }),
      at(3, DAY - 1),
      at(4, DAY, { ...market, score: 95, usdc: 100 }),
      at(5, DAY + 1, { ...market, score: 90, usdc: 200, type: 'cluster' }),
      at(6, DAY + 2, { score: 99, isHistory: true }),
      at(7, DAY + 3, { marketId: '0xlost', score: 70, usdc: 900, entryPrice: 0.2 }),
      at(8, DAY + DAY_MS - 1, { score: 70, usdc: 1_000 }),
      at(9, DAY + DAY_MS),
    ];
    for (const alert of all) await alerts.append(alert);
    await alerts.resolveMarket('0xhot', () => ({ payout: 1, won: true, profitUsdc: 40.1 }));
    for (const id of ['0xlost', '0xold'])
      await alerts.resolveMarket(id, () => ({ payout: 0, won: false, profitUsdc: -100.25 }));

    const digest = await makeDailyDigest(alerts, DAY);

    expect(digest).toStrictEqual({
      day: new Date(DAY).toISOString().slice(0, 10),
      alerts: 4,
      byType: { cluster: 1, fresh: 3 },
      // Of different threads, the newest alert of each.
      topAlertIds: [5, 8, 7],
      hotMarkets: [
        { title: 'Hot?', slug: 'hot', alerts: 2, usdc: 300 },
        { title: 'Will the measure pass?', slug: 'market-8', alerts: 1, usdc: 1_000 },
        { title: 'Will the measure pass?', slug: 'market-7', alerts: 1, usdc: 900 },
      ],
      results: { won: 2, lost: 1, profitUsdc: -20.05 },
      record: { resolved: 4, markets: 2, won: 2, averageEntry: 0.4 },
    });
  });

  test('is a message for each channel, once a day, and fits a day without alerts', async () => {
    const { alerts, chat } = fixture.database;
    await alerts.append(at(1, DAY - DAY_MS));

    const digest = await makeDailyDigest(alerts, DAY);

    if (digest === null) throw new Error('no digest');
    expect(digest).toMatchObject({ alerts: 0, record: { resolved: 0, averageEntry: null } });
    const messages = digestMessages(digest, ['telegram', 'discord'], START);
    const ids = [`digest:${digest.day}@telegram`, `digest:${digest.day}@discord`];
    expect(await chat.add(messages)).toEqual(ids);
    expect(await chat.add(digestMessages(digest, ['telegram'], START + 1))).toEqual([]);
    expect(await chat.byId(ids[0] ?? '')).toMatchObject({ facts: digest, dueAt: START });
  });

  test('of a service that had no alert in 30 days is no message at all', async () => {
    const { alerts } = fixture.database;
    await alerts.append(at(1, DAY + DAY_MS));
    const digest = await makeDailyDigest(alerts, DAY);
    expect(digestMessages(digest, ['telegram', 'discord'], START)).toEqual([]);
  });
});
