import { DatabaseSync } from 'node:sqlite';
import { MongoClient } from 'mongodb';

/** Makes the database what version 10 left: without computed records. */
export async function bringBackToTenth(url: string): Promise<void> {
  if (url.startsWith('sqlite:')) bringBackSqlite(url.slice('sqlite:'.length));
  else await bringBackMongo(url);
}

function bringBackSqlite(path: string): void {
  const db = new DatabaseSync(path);
  db.exec('DROP TABLE records; PRAGMA user_version = 10');
  db.close();
}

async function bringBackMongo(url: string): Promise<void> {
  const client = await MongoClient.connect(url);
  const db = client.db();
  await db.dropCollection('records').catch(() => {});
  await db.collection('schema_version').updateOne({}, { $set: { version: 10 } });
  await client.close();
}
