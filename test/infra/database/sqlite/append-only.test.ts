import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { createTables } from '../../../../src/infra/database/sqlite/schema.ts';

const VALUES = "0, 'x', 'x', 'x', 'x', 'x'";

describe('the table of the log only grows', () => {
  test.each([
    'UPDATE log SET at = 1',
    'DELETE FROM log',
    'DELETE FROM log WHERE sequence = 2',
    `INSERT OR REPLACE INTO log VALUES (1, ${VALUES})`,
    `REPLACE INTO log VALUES (2, ${VALUES})`,
    `INSERT INTO log VALUES (1, ${VALUES}) ON CONFLICT (sequence) DO UPDATE SET at = 1`,
    `INSERT INTO log VALUES (0, ${VALUES})`,
    `INSERT INTO log VALUES (4, ${VALUES})`,
    `INSERT INTO log VALUES (NULL, ${VALUES})`,
  ])('%s is refused and changes nothing', (sql) => {
    const db = new DatabaseSync(':memory:');
    createTables(db);
    for (const number of [1, 2]) db.exec(`INSERT INTO log VALUES (${number}, ${VALUES})`);
    const rows = () => db.prepare('SELECT * FROM log').all();
    const before = rows();

    expect(() => db.exec(sql)).toThrow('log: rows are only appended');

    expect(rows()).toEqual(before);
  });
});
