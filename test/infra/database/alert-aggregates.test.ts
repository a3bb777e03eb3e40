import { expect, test } from 'vitest';
import { alertOf, settlementOf } from '../../support/alerts.ts';
import { START } from '../../support/rows.ts';
import { onEachDatabase } from './each-database.ts';

const WON = { payout: 1, won: true, profitUsdc: 1 };

onEachDatabase('alert aggregates', (fixture) => {
  test('free delay: stats up to a moment hold nothing of the alerts after it, resolved ones neither', async () => {
    const { alerts, settlements } = fixture.database;
    const midnight = START + 86_400_000;
    const until = midnight;
    await alerts.append(alertOf({ id: 1, createdAt: midnight - 1, resolution: WON }));
    await alerts.append(alertOf({ id: 2, createdAt: until, type: 'cluster', score: 60, resolution: WON }));
    await settlements.put(settlementOf({ marketId: '0xm1', seq: 1, resolved: 2, won: 2 }));
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

    const lost = { payout: 0, won: false, profitUsdc: -1 };
    await alerts.append(
      alertOf({ id: 3, createdAt: until + 1, type: 'cluster', score: 99, resolution: WON }),
    );
    await alerts.append(alertOf({ id: 4, createdAt: until + 1, side: 'SELL', resolution: lost }));
    await alerts.append(alertOf({ id: 5, createdAt: until + 2 }));
    await settlements.put(settlementOf({ marketId: '0xm1', seq: 2, resolved: 4, won: 3 }));

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
