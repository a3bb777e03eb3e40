import { DatabaseSync } from 'node:sqlite';
import { MongoClient } from 'mongodb';
import { expect, test } from 'vitest';
import { openDatabase } from '../../../src/infra/database.ts';
import { alertOf } from '../../support/alerts.ts';
import { START } from '../../support/rows.ts';
import { onEachDatabase } from './each-database.ts';

const WON = { payout: 1, won: true, profitUsdc: 100 };
const LOST = { payout: 0, won: false, profitUsdc: -50 };
const ALERTS = [
  alertOf({ id: 1, entryPrice: 0.3, resolution: WON }),
  alertOf({ id: 2, side: 'SELL', entryPrice: 0.2, resolution: LOST }),
  alertOf({ id: 3, entryPrice: 0.9 }),
];
const LAST_DAY = { since: START, until: START + 86_400_000 };

onEachDatabase('a database of version 1', (fixture) => {
  test('is brought forward with all it holds: alerts, what they are summed up from, what they are searched by', async () => {
    for (const alert of ALERTS) await fixture.database.alerts.append(alert);
    await fixture.database.close();
    await bringBack(fixture.url);

    const { alerts, presets } = await fixture.another();

    expect(await alerts.after(0, 10)).toStrictEqual(ALERTS);
    // 0.3 paid for the one, 1 − 0.2 for the other.
    expect(await alerts.preview(LAST_DAY, { newest: 0 })).toMatchObject({
      total: 3,
      resolved: 2,
      won: 1,
      entrySum: 1.1,
    });
    const found = await alerts.search({ search: 'MEASURE', side: 'BUY' }, { page: 1, pageSize: 10 });
    expect([found.total, found.alerts.map(({ id }) => id)]).toEqual([2, [3, 1]]);
    expect(await presets.listByKey('key_1')).toEqual([]);
  });

  test('stays as it is when it is opened again', async () => {
    await fixture.database.alerts.append(ALERTS[0] ?? alertOf({ id: 1 }));
    await fixture.database.close();
    await bringBack(fixture.url);
    await (await openDatabase(fixture.url)).close();

    const { alerts } = await fixture.another();

    expect(await alerts.preview(LAST_DAY, { newest: 0 })).toMatchObject({ resolved: 1, entrySum: 0.3 });
  });
});

/** Makes the database what the first version left. */
async function bringBack(url: string): Promise<void> {
  if (url.startsWith('sqlite:')) bringBackSqlite(url.slice('sqlite:'.length));
  else await bringBackMongo(url);
}

function bringBackSqlite(path: string): void {
  const db = new DatabaseSync(path);
  db.exec(`
    DROP TABLE presets; DROP TABLE webhooks; DROP TABLE secrets;
    DROP INDEX alert_facets_by_listing;
    ALTER TABLE alert_facets DROP COLUMN won;
    ALTER TABLE alert_facets DROP COLUMN entry;
    CREATE INDEX alert_facets_by_listing ON alert_facets (listing);
    PRAGMA user_version = 1;
  `);
  db.close();
}

async function bringBackMongo(url: string): Promise<void> {
  const client = await MongoClient.connect(url);
  const db = client.db();
  for (const name of ['presets', 'webhooks', 'secrets', 'rate_windows']) await db.collection(name).drop();
  const alerts = db.collection('alerts');
  for (const { name, key } of await alerts.indexes())
    if ('entryPrice' in key && name !== undefined) await alerts.dropIndex(name);
  const facets = { category: 1, side: 1, type: 1, score: 1, usdc: 1, isResolved: 1, listing: 1 } as const;
  await alerts.createIndex({ _id: 1, ...facets });
  await alerts.createIndex({ listing: 1, _id: 1 });
  await db.collection('schema_version').updateOne({}, { $set: { version: 1 } });
  await client.close();
}
