import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { createTables } from '../../../../src/infra/database/sqlite/schema.ts';

const TABLES = {
  log: { key: 'sequence', values: "0, 'x', 'x', 'x', 'x', 'x'" },
};

describe.each(Object.entries(TABLES))('the table %s only grows', (table, { key, values }) => {
  test.each([
    `UPDATE ${table} SET at = 1`,
    `DELETE FROM ${table}`,
    `DELETE FROM ${table} WHERE ${key} = 2`,
    `INSERT OR REPLACE INTO ${table} VALUES (1, ${values})`,
    `REPLACE INTO ${table} VALUES (2, ${values})`,
    `INSERT INTO ${table} VALUES (1, ${values}) ON CONFLICT (${key}) DO UPDATE SET at = 1`,
    `INSERT INTO ${table} VALUES (0, ${values})`,
    `INSERT INTO ${table} VALUES (4, ${values})`,
    `INSERT INTO ${table} VALUES (NULL, ${values})`,
  ])('%s is refused and changes nothing', (sql) => {
    const db = new DatabaseSync(':memory:');
    createTables(db);
    for (const number of [1, 2]) db.exec(`INSERT INTO ${table} VALUES (${number}, ${values})`);
    const rows = () => db.prepare(`SELECT * FROM ${table}`).all();
    const before = rows();

    expect(() => db.exec(sql)).toThrow(`${table}: rows are only appended`);

    expect(rows()).toEqual(before);
  });
});
