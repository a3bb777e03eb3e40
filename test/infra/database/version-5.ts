import { DatabaseSync } from 'node:sqlite';
import { MongoClient } from 'mongodb';

/** Makes the database what version 5 left: the same alerts without their threads. */
export async function bringBackToFifth(url: string): Promise<void> {
  if (url.startsWith('sqlite:')) bringBackSqlite(url.slice('sqlite:'.length));
  else await bringBackMongo(url);
}

function bringBackSqlite(path: string): void {
  const db = new DatabaseSync(path);
  db.exec(`
    DROP INDEX alerts_by_thread;
    ALTER TABLE alerts DROP COLUMN thread;
    ALTER TABLE alerts DROP COLUMN thread_id;
    ALTER TABLE alerts DROP COLUMN supersedes;
    PRAGMA user_version = 5;
  `);
  db.close();
}

async function bringBackMongo(url: string): Promise<void> {
  const client = await MongoClient.connect(url);
  const db = client.db();
  await db.collection('alerts').dropIndex('thread_1__id_1');
  await db.collection('alerts').updateMany({}, { $unset: { thread: 1, threadId: 1, supersedes: 1 } });
  await db.collection('schema_version').updateOne({}, { $set: { version: 5 } });
  await client.close();
}
