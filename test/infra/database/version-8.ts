import { DatabaseSync } from 'node:sqlite';
import { MongoClient } from 'mongodb';

const ADDED = ['key_messages', 'chat_questions'];

/** Makes the database what version 8 left: without messages that show a key, and questions asked in chat. */
export async function bringBackToEighth(url: string): Promise<void> {
  if (url.startsWith('sqlite:')) {
    const db = new DatabaseSync(url.slice('sqlite:'.length));
    for (const table of ADDED) db.exec(`DROP TABLE ${table}`);
    db.exec('PRAGMA user_version = 8');
    db.close();
    return;
  }
  const client = await MongoClient.connect(url);
  const db = client.db();
  for (const collection of ADDED) await db.collection(collection).drop();
  await db.collection('schema_version').updateOne({}, { $set: { version: 8 } });
  await client.close();
}
