import { DatabaseSync } from 'node:sqlite';
import { MongoClient } from 'mongodb';

/** Makes a database that is not open one of another build, by its version alone. */
export async function setVersion(url: string, version: number): Promise<void> {
  if (url.startsWith('sqlite:')) {
    const db = new DatabaseSync(url.slice('sqlite:'.length));
    db.exec(`PRAGMA user_version = ${version}`);
    db.close();
    return;
  }
  const client = await MongoClient.connect(url);
  await client.db().collection('schema_version').updateOne({}, { $set: { version } });
  await client.close();
}
