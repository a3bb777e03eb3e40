import { DatabaseSync } from 'node:sqlite';
import { MongoClient } from 'mongodb';
import { bringBackToNinth } from './version-9.ts';

/** Makes the database what version 8 left: without messages that show a key, questions, requests, alarms and scores of posts. */
export async function bringBackToEighth(url: string): Promise<void> {
  await bringBackToNinth(url);
  if (url.startsWith('sqlite:')) bringBackSqlite(url.slice('sqlite:'.length));
  else await bringBackMongo(url);
}

const ADDED = ['key_messages', 'chat_questions', 'operator_requests', 'operator_alarms'];

function bringBackSqlite(path: string): void {
  const db = new DatabaseSync(path);
  for (const table of ADDED) db.exec(`DROP TABLE ${table}`);
  db.exec(`
    DROP INDEX chat_messages_unknown;
    DROP INDEX chat_messages_posts;
    ALTER TABLE chat_messages DROP COLUMN score;
    ALTER TABLE chat_messages DROP COLUMN unsure_since;
    PRAGMA user_version = 8`);
  db.close();
}

async function bringBackMongo(url: string): Promise<void> {
  const client = await MongoClient.connect(url);
  const db = client.db();
  for (const collection of ADDED) await db.collection(collection).drop();
  await db.collection('schema_version').updateOne({}, { $set: { version: 8 } });
  await client.close();
}
