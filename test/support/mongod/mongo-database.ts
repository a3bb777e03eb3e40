import { MongoClient } from 'mongodb';

export function withDatabaseName(uri: string, name: string): string {
  return uri.replace(/^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?/, `$1/${name}`);
}

export async function dropMongoDatabase(url: string): Promise<void> {
  const client = await MongoClient.connect(url);
  try {
    await client.db().dropDatabase();
  } finally {
    await client.close();
  }
}

export async function dropDatabases(server: string, prefix: string): Promise<void> {
  const client = await MongoClient.connect(server);
  try {
    const { databases } = await client.db().admin().listDatabases({ nameOnly: true });
    const own = databases.filter(({ name }) => name.startsWith(prefix));
    for (const { name } of own) await client.db(name).dropDatabase();
  } finally {
    await client.close();
  }
}
