import { expect, test } from 'vitest';
import { alertOf } from '../../support/alerts.ts';
import { START } from '../../support/rows.ts';
import { settleMarket, storeAlerts } from '../../support/stored.ts';
import { onEachDatabase } from './each-database.ts';

onEachDatabase('alert aggregates', (fixture) => {
  test('free delay: stats up to a moment hold nothing of the alerts after it, resolved ones neither', async () => {
    const { alerts } = fixture.database;
    const midnight = START + 86_400_000;
    const until = midnight;
    await storeAlerts(
      fixture.database,
      alertOf({ id: 1, createdAt: midnight - 1 }),
      alertOf({ id: 2, createdAt: until, type: 'cluster', score: 60 }),
    );
    await settleMarket(fixture.database);
    const query = { dayStart: midnight, until };
    expect(await alerts.stats({ dayStart: midnight, until: midnight - 1 })).toMatchObject({
      ...{ totalAlerts: 1, alertsToday: 0, avgScoreToday: 0, clustersToday: 0 },
    });
    const before = await alerts.stats(query);
    expect(before).toStrictEqual({
      totalAlerts: 2,
      alertsToday: 1,
      avgScoreToday: 60,
      clustersToday: 1,
      totalResolved: 2,
      totalWon: 2,
    });

    await storeAlerts(
      fixture.database,
      alertOf({ id: 3, createdAt: until + 1, type: 'cluster', score: 99 }),
      alertOf({ id: 4, createdAt: until + 1, side: 'SELL' }),
      alertOf({ id: 5, marketId: '0xm2', createdAt: until + 2 }),
    );

    expect(await alerts.stats(query)).toStrictEqual(before);
    expect(await alerts.stats({ dayStart: midnight })).toMatchObject({
      totalAlerts: 5,
      alertsToday: 4,
      avgScoreToday: 75.75,
      totalResolved: 4,
      totalWon: 3,
    });
  });
});
