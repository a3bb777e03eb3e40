import { DatabaseSync } from 'node:sqlite';
import { MongoClient } from 'mongodb';
import { bringBackToEighth } from './version-8.ts';

/** Makes the database what version 7 left: without the log, the operators' statements and the observations. */
export async function bringBackToSeventh(url: string): Promise<void> {
  await bringBackToEighth(url);
  if (url.startsWith('sqlite:')) bringBackSqlite(url.slice('sqlite:'.length));
  else await bringBackMongo(url);
}

const ADDED = ['log', 'statements', 'observed_markets', 'observed_hours'];

function bringBackSqlite(path: string): void {
  const db = new DatabaseSync(path);
  for (const table of ADDED) db.exec(`DROP TABLE ${table}`);
  db.exec(`
    ALTER TABLE resolutions DROP COLUMN log;
    PRAGMA user_version = 7`);
  db.close();
}

async function bringBackMongo(url: string): Promise<void> {
  const client = await MongoClient.connect(url);
  const db = client.db();
  for (const collection of ADDED) await db.collection(collection).drop();
  await db.collection('resolutions').updateMany({}, { $unset: { log: 1 } });
  await db.collection('schema_version').updateOne({}, { $set: { version: 7 } });
  await client.close();
}
