import { DatabaseSync } from 'node:sqlite';
import { MongoClient } from 'mongodb';
import { bringBackToTenth } from './version-10.ts';

/** Makes the database what version 9 left: without idempotency, filters and events of webhooks, and deliveries of outcomes. */
export async function bringBackToNinth(url: string): Promise<void> {
  await bringBackToTenth(url);
  if (url.startsWith('sqlite:')) bringBackSqlite(url.slice('sqlite:'.length));
  else await bringBackMongo(url);
}

function bringBackSqlite(path: string): void {
  const db = new DatabaseSync(path);
  db.exec(`
    DROP TABLE idempotency;
    DROP INDEX deliveries_requested;
    ALTER TABLE deliveries DROP COLUMN repeats;
    ALTER TABLE deliveries DROP COLUMN outcome;
    ALTER TABLE webhooks DROP COLUMN events;
    ALTER TABLE webhooks DROP COLUMN filters;
    PRAGMA user_version = 9`);
  db.close();
}

/** The indexes of alerts that version 10 has dropped, by their first field. */
export const DROPPED_INDEXES = ['category', 'score', 'usdc'] as const;
const FACETS = ['category', 'side', 'type', 'score', 'usdc', 'isResolved', 'listing'];

async function bringBackMongo(url: string): Promise<void> {
  const client = await MongoClient.connect(url);
  const db = client.db();
  await db.dropCollection('idempotency').catch(() => {});
  await db.collection('deliveries').dropIndex('requested');
  await db.collection('deliveries').updateMany({}, { $unset: { outcome: 1, repeats: 1 } });
  await db.collection('webhooks').updateMany({}, { $unset: { filters: 1, events: 1 } });
  for (const first of DROPPED_INDEXES) {
    const fields = [first, '_id', ...FACETS.filter((facet) => facet !== first)];
    await db.collection('alerts').createIndex(Object.fromEntries(fields.map((field) => [field, 1])));
  }
  await db.collection('schema_version').updateOne({}, { $set: { version: 9 } });
  await client.close();
}
