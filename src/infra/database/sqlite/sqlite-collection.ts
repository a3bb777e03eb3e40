import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type {
  Change,
  Collection,
  Declaration,
  Filter,
  FindQuery,
  Name,
  Scalar,
  Update,
} from '../stores/collection.ts';
import { transaction } from './connection.ts';
import { isTaken } from './open-failure.ts';
import { SqliteTable } from './sqlite-table.ts';

/** Rows in a table of SQLite. Each statement is prepared once. */
export class SqliteCollection<Row extends object> implements Collection<Row> {
  readonly #db: DatabaseSync;
  readonly #declaration: Declaration<Row>;
  readonly #table: SqliteTable<Row>;
  readonly #statements = new Map<string, StatementSync>();
  readonly #insert: string;
  readonly #insertNew: string;
  readonly #upsert: string;
  #byKey: string | null = null;

  constructor(db: DatabaseSync, declaration: Declaration<Row>) {
    this.#db = db;
    this.#declaration = declaration;
    this.#table = new SqliteTable(declaration);
    const { name, key, columns } = this.#table;
    this.#insert = `INSERT INTO ${name} (${columns}) VALUES (${columns.replaceAll(/\w+/g, '?')})`;
    this.#insertNew = `${this.#insert} ON CONFLICT DO NOTHING`;
    const replaced = columns.replaceAll(/\w+/g, '$& = excluded.$&');
    this.#upsert = `${this.#insert} ON CONFLICT (${key}) DO UPDATE SET ${replaced}`;
  }

  async get(...key: readonly Scalar[]): Promise<Row | null> {
    const { name, columns, key: keyColumns } = this.#table;
    this.#byKey ??= `SELECT ${columns} FROM ${name} WHERE (${keyColumns}) = (${places(key.length)})`;
    return this.#all(this.#byKey, key as SQLInputValue[])[0] ?? null;
  }

  async find(query: FindQuery<Row> = {}): Promise<Row[]> {
    const values: SQLInputValue[] = [];
    return this.#all(this.#selectText(this.#table.columns, query, values), values);
  }

  async pick<Field extends Name<Row>>(fields: readonly Field[], query: FindQuery<Row>) {
    const values: SQLInputValue[] = [];
    const sql = this.#selectText(this.#table.columnsOf(fields).join(', '), query, values);
    const found = this.#prepare(sql).all(...values) as unknown as unknown[][];
    return this.#table.toRows(found, fields);
  }

  async count(where?: Filter<Row>): Promise<number> {
    return this.#one<[number]>('count(*)', where)[0];
  }

  async countBy<Field extends Name<Row>>(field: Field, where?: Filter<Row>) {
    const values: SQLInputValue[] = [];
    const column = this.#table.column(field);
    const source = `${this.#table.name}${this.#table.where(where, values)}`;
    const sql = `SELECT ${column}, count(*) FROM ${source} GROUP BY ${column}`;
    return new Map(this.#prepare(sql).all(...values) as unknown as [Row[Field], number][]);
  }

  async sum<Field extends Name<Row>>(where: Filter<Row>, fields: readonly Field[]) {
    const sums = this.#table.columnsOf(fields).map((column) => `coalesce(sum(${column}), 0)`);
    const found = this.#one<number[]>(sums.join(', '), where);
    return Object.fromEntries(fields.map((field, index) => [field, found[index]])) as Record<Field, number>;
  }

  async insertNew(rows: readonly Row[]): Promise<readonly Row[]> {
    const insert = (row: Row) => this.#run(this.#insertNew, this.#table.values(row)) === 1;
    return rows.length > 1 ? transaction(this.#db, () => rows.filter(insert)) : rows.filter(insert);
  }

  async insertInOrder(rows: readonly Row[]): Promise<boolean> {
    const insertAll = () => {
      for (const row of rows) this.#run(this.#insert, this.#table.values(row));
    };
    try {
      transaction(this.#db, insertAll);
      return true;
    } catch (error) {
      if (isTaken(error)) return false;
      throw error;
    }
  }

  async put(row: Row, over?: Filter<Row>): Promise<boolean> {
    const bound: SQLInputValue[] = [];
    const sql = `${this.#upsert}${this.#table.where(over, bound)}`;
    return this.#run(sql, [...this.#table.values(row), ...bound]) === 1;
  }

  async page(after: readonly Scalar[] | null, limit: number): Promise<Row[]> {
    const { name, key, columns } = this.#table;
    const beyond = after === null ? '' : ` WHERE (${key}) > (${places(after.length)})`;
    const sql = `SELECT ${columns} FROM ${name}${beyond} ORDER BY ${key} LIMIT ?`;
    return this.#all(sql, [...((after ?? []) as SQLInputValue[]), limit]);
  }

  async update(where: Filter<Row>, change: Change<Row>): Promise<number> {
    return this.#update(where, change);
  }

  async updateEach(updates: readonly Update<Row>[]): Promise<number> {
    return transaction(this.#db, () =>
      updates.reduce((sum, { where, change }) => sum + this.#update(where, change), 0),
    );
  }

  async delete(where: Filter<Row>): Promise<number> {
    const values: SQLInputValue[] = [];
    return this.#run(`DELETE FROM ${this.#table.name}${this.#table.where(where, values)}`, values);
  }

  #selectText(columns: string, query: FindQuery<Row>, values: SQLInputValue[]): string {
    const { where, sort = [], limit, after, index = '' } = query;
    let sql = `SELECT ${columns} FROM ${this.#table.name}`;
    const on = this.#declaration.indexes?.[index]?.on ?? 'sqlite';
    if (index !== '' && on === 'sqlite') sql += ` INDEXED BY ${index}`;
    sql += this.#table.where(where, values);
    if (after !== undefined)
      sql += `${where === undefined ? ' WHERE' : ' AND'} ${this.#table.after(sort, after, values)}`;
    sql += this.#table.orderBy(sort);
    if (limit === undefined) return sql;
    values.push(limit);
    return `${sql} LIMIT ?`;
  }

  #update(where: Filter<Row>, change: Change<Row>): number {
    const values: SQLInputValue[] = [];
    return this.#run(this.#updateText(where, change, values), values);
  }

  #updateText(where: Filter<Row>, { set }: Change<Row>, values: SQLInputValue[]): string {
    const names = (Object.keys(set) as Name<Row>[]).filter((name) => set[name] !== undefined);
    values.push(...this.#table.values(set, names));
    const parts = this.#table.columnsOf(names).map((column) => `${column} = ?`);
    return `UPDATE ${this.#table.name} SET ${parts.join(', ')}${this.#table.where(where, values)}`;
  }

  #one<Values>(expressions: string, where: Filter<Row> | undefined): Values {
    const values: SQLInputValue[] = [];
    const sql = `SELECT ${expressions} FROM ${this.#table.name}${this.#table.where(where, values)}`;
    return this.#prepare(sql).get(...values) as Values;
  }

  #all(sql: string, values: readonly SQLInputValue[]): Row[] {
    return this.#table.toRows(this.#prepare(sql).all(...values) as unknown as unknown[][]);
  }

  #run(sql: string, values: readonly SQLInputValue[]): number {
    return Number(this.#prepare(sql).run(...values).changes);
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#db.prepare(sql);
    statement.setReturnArrays(true);
    this.#statements.set(sql, statement);
    return statement;
  }
}

function places(count: number): string {
  return Array.from({ length: count }, () => '?').join(', ');
}
