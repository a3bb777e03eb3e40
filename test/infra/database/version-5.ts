import { DatabaseSync } from 'node:sqlite';
import { MongoClient } from 'mongodb';
import { bringBackToSixth } from './version-6.ts';

/** Makes the database what version 5 left: the same alerts and posts without their threads. */
export async function bringBackToFifth(url: string): Promise<void> {
  await bringBackToSixth(url);
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
    DROP INDEX chat_messages_by_thread;
    ALTER TABLE chat_messages DROP COLUMN thread_id;
    UPDATE chat_messages SET facts = json_remove(facts, '$.threadId');
    CREATE INDEX chat_messages_by_alert ON chat_messages (alert_id, id) WHERE kind = 'alert';
    PRAGMA user_version = 5;
  `);
  db.close();
}

async function bringBackMongo(url: string): Promise<void> {
  const client = await MongoClient.connect(url);
  const db = client.db();
  await db.collection('alerts').dropIndex('thread_1__id_1');
  await db.collection('alerts').updateMany({}, { $unset: { thread: 1, threadId: 1, supersedes: 1 } });
  const chat = db.collection('chat_messages');
  await chat.updateMany({}, { $unset: { threadId: 1, 'facts.threadId': 1 } });
  await chat.dropIndex('threadId_1_recipient_1');
  await chat.createIndex({ alertId: 1, _id: 1 }, { partialFilterExpression: { kind: 'alert' } });
  await db.collection('schema_version').updateOne({}, { $set: { version: 5 } });
  await client.close();
}
