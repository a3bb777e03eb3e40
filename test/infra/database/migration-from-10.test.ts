import { expect, test } from 'vitest';
import type { ObservedMarket } from '../../../src/core/record/observations/observation-store.ts';
import { alertOf } from '../../support/alerts.ts';
import { START } from '../../support/rows.ts';
import { onEachDatabase } from './each-database.ts';
import { hourOf, marketOf } from './observed.ts';
import { bringBackToTenth } from './version-10.ts';

const EVER = { from: 0, until: Number.MAX_SAFE_INTEGER, limit: 10 };

onEachDatabase('a database of version 10', (fixture) => {
  test('is brought forward: what was observed stays, without tags and fees, and no record is computed', async () => {
    const { database, url } = fixture;
    const market: ObservedMarket = marketOf({ marketId: 'a' });
    const lease = await database.ingest.acquire({ owner: 'a', now: 0, ttlMs: 1, isGone: () => false });
    if (lease === null) throw new Error('no lease');
    await database.alerts.append(alertOf({ id: 1 }));
    await database.observations.write(lease, { markets: [market], hours: [hourOf('a', 0)] });
    await database.close();
    await bringBackToTenth(url);

    const { alerts, observations, records } = await fixture.another();

    expect(await alerts.after(0, 10)).toStrictEqual([alertOf({ id: 1 })]);
    expect(await observations.markets({ limit: 10 })).toStrictEqual([market]);
    expect(await observations.hours('a', EVER)).toStrictEqual([hourOf('a', 0)]);
    expect(await records.get('record')).toBeNull();
    await records.put({ name: 'record', at: START, text: '{}' });
    expect(await records.at('record')).toBe(START);
  });
});
