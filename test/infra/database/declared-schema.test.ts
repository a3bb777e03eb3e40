import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { migrate } from '../../../src/infra/database/sqlite/schema.ts';
import { SqliteTable } from '../../../src/infra/database/sqlite/sqlite-table.ts';
import type { Kind } from '../../../src/infra/database/stores/collection.ts';
import { declarations } from '../../../src/infra/database/stores/plain-stores.ts';
import { storedFields } from '../../../src/infra/database/stores/stored-fields.ts';

const TYPES: Readonly<Record<Kind, string>> = {
  text: 'TEXT',
  json: 'TEXT',
  value: 'TEXT',
  words: 'TEXT',
  bytes: 'BLOB',
  integer: 'INTEGER',
  boolean: 'INTEGER',
};

describe('what is declared is what SQLite has', () => {
  const db = new DatabaseSync(':memory:');
  migrate(db);

  test.each(declarations())('$name: columns, types and key', (declaration) => {
    const found = db.prepare('SELECT name, type, "notnull" AS isNotNull, pk FROM pragma_table_info(?)');
    const columns = found.all(declaration.name).map(({ name, type, isNotNull, pk }) => ({
      name,
      type,
      isNullable: pk === 0 && isNotNull === 0,
      key: pk,
    }));

    const declared = storedFields(declaration).map(({ path, column, kind, isNullable }) => ({
      name: column,
      type: TYPES[kind],
      isNullable,
      key: declaration.key.indexOf(path) + 1,
    }));
    expect(columns.toSorted(byName)).toEqual(declared.toSorted(byName));
  });

  test.each(declarations())('$name: indexes', (declaration) => {
    const { name, unique = [], sqliteIndexes = {} } = declaration;
    const table = new SqliteTable(declaration);
    const indexes = db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ?");
    const created = indexes.all(name).flatMap(({ sql }) => (sql === null ? [] : plain(String(sql))));

    const declared = Object.entries(sqliteIndexes).map(([index, { fields, isUnique, where }]) => {
      const columns = fields.map((field) => table.column(field)).join(', ');
      const part = where === undefined ? '' : ` WHERE ${table.literalCondition(where)}`;
      return plain(`CREATE ${isUnique ? 'UNIQUE ' : ''}INDEX ${index} ON ${name} (${columns})${part}`);
    });
    expect(created.toSorted()).toEqual(declared.toSorted());

    const constraints = db.prepare(
      `SELECT columns.name FROM pragma_index_list(?) AS list, pragma_index_info(list.name) AS columns WHERE origin = 'u'`,
    );
    expect(constraints.all(name).map((each) => each['name'])).toEqual(
      unique.map((field) => table.column(field)),
    );
  });
});

/** Without parentheses and line breaks, which say nothing here. */
function plain(sql: string): string {
  return sql.replaceAll(/[\s()]+/g, ' ').trim();
}

function byName(a: { readonly name: unknown }, b: { readonly name: unknown }): number {
  return String(a.name) < String(b.name) ? -1 : 1;
}
