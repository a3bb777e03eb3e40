import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { Where } from '../../../core/base/documents/documents.ts';
import type { Collection, Declaration, FindQuery, Name, Update } from '../stores/collection.ts';
import { transaction } from './connection.ts';
import { isTaken } from './open-failure.ts';
import { SqliteTable } from './sqlite-table.ts';
import { Statements } from './statements.ts';

/** Rows in a table of SQLite. */
export class SqliteCollection<Row extends object> implements Collection<Row> {
  readonly #db: DatabaseSync;
  readonly #declaration: Declaration<Row>;
  readonly #table: SqliteTable<Row>;
  readonly #statements: Statements;
  readonly #insert: string;
  readonly #upsert: string;

  constructor(db: DatabaseSync, declaration: Declaration<Row>) {
    this.#db = db;
    this.#declaration = declaration;
    this.#table = new SqliteTable(declaration);
    this.#statements = new Statements(db);
    const { name, key, fields } = this.#table;
    const columns = this.#table.columnsOf(fields);
    this.#insert = `INSERT INTO ${name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
    const replaced = columns.map((column) => `${column} = excluded.${column}`).join(', ');
    this.#upsert = `${this.#insert} ON CONFLICT (${key}) DO UPDATE SET ${replaced}`;
  }

  find(query: FindQuery<Row>): Promise<Row[]> {
    return this.pick(this.#table.fields, query);
  }

  async pick(fields: readonly Name<Row>[], query: FindQuery<Row>): Promise<Row[]> {
    const values: SQLInputValue[] = [];
    const sql = this.#selectText(fields, query, values);
    return this.#table.toRows(this.#statements.all(sql, values), fields);
  }

  async distinct<Field extends Name<Row>>(field: Field, where: Where<Row>) {
    const values: SQLInputValue[] = [];
    const source = `${this.#table.name}${this.#table.where(where, values)}`;
    const sql = `SELECT DISTINCT ${this.#table.column(field)} FROM ${source}`;
    return this.#statements.all(sql, values).map(([value]) => value as Row[Field]);
  }

  async insertInOrder(rows: readonly Row[]): Promise<boolean> {
    const insertAll = () => {
      for (const row of rows) this.#statements.run(this.#insert, this.#table.values(row, this.#table.fields));
    };
    try {
      transaction(this.#db, insertAll);
      return true;
    } catch (error) {
      if (isTaken(error)) return false;
      throw error;
    }
  }

  async put(row: Row, over: Where<Row>): Promise<boolean> {
    const values = this.#table.values(row, this.#table.fields);
    const sql = `${this.#upsert}${this.#table.where(over, values)}`;
    return this.#statements.run(sql, values) === 1;
  }

  async update(update: Update<Row>): Promise<void> {
    this.#update(update);
  }

  async updateEach(updates: readonly Update<Row>[]): Promise<void> {
    transaction(this.#db, () => {
      for (const update of updates) this.#update(update);
    });
  }

  #update({ where, set }: Update<Row>): void {
    const names = Object.keys(set) as Name<Row>[];
    const values = this.#table.values(set, names);
    const changes = this.#table.columnsOf(names).map((column) => `${column} = ?`);
    this.#statements.run(
      `UPDATE ${this.#table.name} SET ${changes.join(', ')}${this.#table.where(where, values)}`,
      values,
    );
  }

  #selectText(fields: readonly Name<Row>[], query: FindQuery<Row>, values: SQLInputValue[]): string {
    const { where = {}, sort, limit, index } = query;
    const columns = this.#table.columnsOf(fields).join(', ');
    const source = index === undefined ? this.#table.name : `${this.#table.name} INDEXED BY ${index}`;
    const partial = this.#declaration.indexes?.[index ?? '']?.where;
    const conditions = this.#table.where(where, values, partial);
    const sql = `SELECT ${columns} FROM ${source}${conditions}${this.#table.orderBy(sort)}`;
    if (limit === undefined) return sql;
    values.push(limit);
    return `${sql} LIMIT ?`;
  }
}
