import { DatabaseSync } from 'node:sqlite';
import { MongoClient } from 'mongodb';
import { sqliteFile } from '../../src/infra/database/database.ts';

/** Every row of every table, or every document of every collection, as `table {…}`. */
export async function everyRow(url: string): Promise<readonly string[]> {
  const file = sqliteFile(url);
  return file === null ? mongoRows(url) : sqliteRows(file);
}

function sqliteRows(file: string): readonly string[] {
  const reader = new DatabaseSync(file, { readOnly: true });
  try {
    const tables = reader.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    return tables.flatMap(({ name }) =>
      reader
        .prepare(`SELECT * FROM "${name}"`)
        .all()
        .map((row) => `${name} ${textOf(row)}`),
    );
  } finally {
    reader.close();
  }
}

async function mongoRows(url: string): Promise<readonly string[]> {
  const client = await MongoClient.connect(url);
  try {
    const database = client.db();
    const rows: string[] = [];
    for (const { name } of await database.listCollections().toArray())
      for (const document of await database.collection(name).find().toArray())
        rows.push(`${name} ${textOf(document)}`);
    return rows;
  } finally {
    await client.close();
  }
}

function textOf(row: object): string {
  return JSON.stringify(row, (_, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
  );
}
