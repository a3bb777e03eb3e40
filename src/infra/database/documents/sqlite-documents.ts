import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type {
  Change,
  Declaration,
  Documents,
  Identified,
  Query,
  Update,
  Where,
} from '../../../core/base/documents/documents.ts';
import { bound, conditionOn, literal, parameterIn, whereText } from '../sqlite/conditions.ts';
import { transaction } from '../sqlite/connection.ts';
import { isTaken } from '../sqlite/open-failure.ts';
import { Statements } from '../sqlite/statements.ts';
import { type Conditions, definedConditions, indexFor } from './index-for.ts';

type Values = SQLInputValue[];

/**
 * Documents of one kind in a table of two columns, `id` and `doc`, with indexes on expressions. A path of a document is a literal
 * in every statement, since a parameter would not find the index; a condition of a partial index is one, too.
 */
export class SqliteDocuments<T extends Identified> implements Documents<T> {
  readonly #db: DatabaseSync;
  readonly #declaration: Declaration<T>;
  readonly #statements: Statements;

  constructor(db: DatabaseSync, declaration: Declaration<T>) {
    this.#db = db;
    this.#declaration = declaration;
    this.#statements = new Statements(db);
  }

  async get(id: T['id']): Promise<T | null> {
    const [found] = this.#read(`SELECT doc FROM ${this.#kind} WHERE id = ?`, [id]);
    return found ?? null;
  }

  async find(query: Query<T> = {}): Promise<T[]> {
    const values: Values = [];
    const { table, conditions } = this.#from(query, values);
    const { order, after, limit } = query;
    if (after !== undefined) conditions.push(beyond(order ?? 'id', after, values));
    const sql = `SELECT doc FROM ${table}${whereText(conditions)}${orderText(order)}`;
    if (limit === undefined) return this.#read(sql, values);
    return this.#read(`${sql} LIMIT ?`, [...values, limit]);
  }

  async count(where: Where<T> = {}): Promise<number> {
    const values: Values = [];
    const { table, conditions } = this.#from({ where }, values);
    const sql = `SELECT count(*) FROM ${table}${whereText(conditions)}`;
    return Number(this.#statements.all(sql, values)[0]?.[0]);
  }

  async insert(documents: readonly T[]): Promise<T['id'] | null> {
    const parsed = this.#parsed(documents);
    let inserting: T['id'] | null = null;
    try {
      this.#together(parsed, (document) => {
        inserting = document.id;
        return this.#statements.run(this.#insertText, rowOf(document));
      });
      return null;
    } catch (error) {
      if (isTaken(error)) return inserting;
      throw error;
    }
  }

  async insertMissing(documents: readonly T[]): Promise<readonly T[]> {
    const parsed = this.#parsed(documents);
    const sql = `${this.#insertText} ON CONFLICT DO NOTHING`;
    const changes = this.#together(parsed, (document) => this.#statements.run(sql, rowOf(document)));
    return parsed.filter((_, index) => changes[index] === 1);
  }

  async put(documents: readonly T[], over: Where<T> = {}): Promise<boolean> {
    const parsed = this.#parsed(documents);
    const values: Values = [];
    const conditions = whereText(conditionTexts(over as Conditions, values));
    const sql = `${this.#insertText} ON CONFLICT (id) DO UPDATE SET doc = excluded.doc${conditions}`;
    const changes = this.#together(parsed, (document) =>
      this.#statements.run(sql, [...rowOf(document), ...values]),
    );
    return changes.every((changed) => changed === 1);
  }

  async update(where: Where<T>, change: Change<T>): Promise<number> {
    return this.#update({ where, change });
  }

  async updateEach(updates: readonly Update<T>[]): Promise<number> {
    const changes = this.#together(updates, (update) => this.#update(update));
    return changes.reduce((sum, changed) => sum + changed, 0);
  }

  async delete(where: Where<T>): Promise<number> {
    const values: Values = [];
    const { table, conditions } = this.#from({ where }, values);
    return this.#statements.run(`DELETE FROM ${table}${whereText(conditions)}`, values);
  }

  get #kind(): string {
    return this.#declaration.kind;
  }

  get #insertText(): string {
    return `INSERT INTO ${this.#kind} (id, doc) VALUES (?, ?)`;
  }

  #parsed(documents: readonly T[]): readonly T[] {
    return documents.map((document) => this.#declaration.schema.parse(document));
  }

  #update({ where, change }: Update<T>): number {
    const values: Values = [];
    const changed = changeText(change, values);
    const { table, conditions } = this.#from({ where }, values);
    return this.#statements.run(`UPDATE ${table} SET doc = ${changed}${whereText(conditions)}`, values);
  }

  /** The table with the index that must be used, which SQLite refuses where it does not serve, and the conditions. */
  #from(query: Pick<Query<T>, 'where' | 'order'>, values: Values): { table: string; conditions: string[] } {
    const { name, where } = indexFor(this.#declaration, query);
    const table = name === null ? this.#kind : `${this.#kind} INDEXED BY ${name}`;
    const own = conditionTexts((query.where ?? {}) as Conditions, values);
    return { table, conditions: [...conditionTexts(where, null), ...own] };
  }

  /** In one transaction, which a single statement is of its own. */
  #together<Item>(items: readonly Item[], run: (item: Item) => number): readonly number[] {
    return items.length > 1 ? transaction(this.#db, () => items.map(run)) : items.map(run);
  }

  #read(sql: string, values: Values): T[] {
    return this.#statements.all(sql, values).map(([text]) => JSON.parse(String(text)));
  }
}

/** The statements that create the table of a kind and its indexes, where they are missing. */
export function creationOf<T extends Identified>({ kind, indexes = {} }: Declaration<T>): string {
  const created = Object.entries(indexes).map(([name, index]) => {
    const { fields, isUnique, where = {} } = index;
    const columns = [...fields.map(columnOf), ...(isUnique ? [] : ['id'])].join(', ');
    const part = whereText(conditionTexts(where as Conditions, null));
    return `CREATE ${isUnique ? 'UNIQUE ' : ''}INDEX IF NOT EXISTS ${name} ON ${kind} (${columns})${part};`;
  });
  const table = `CREATE TABLE IF NOT EXISTS ${kind} (id ANY PRIMARY KEY NOT NULL, doc TEXT NOT NULL) STRICT;`;
  return [table, ...created].join('\n');
}

function rowOf(document: Identified): Values {
  return [document.id, JSON.stringify(document)];
}

function columnOf(path: string): string {
  return path === 'id' ? 'id' : `doc ->> '$.${path}'`;
}

function orderText(order: string | undefined): string {
  if (order === undefined) return '';
  const direction = order.startsWith('-') ? ' DESC' : '';
  const path = order.replace('-', '');
  const terms = path === 'id' ? ['id'] : [columnOf(path), 'id'];
  return ` ORDER BY ${terms.map((term) => `${term}${direction}`).join(', ')}`;
}

function beyond(
  order: string,
  { value, id }: NonNullable<Query<Identified>['after']>,
  values: Values,
): string {
  const sign = order.startsWith('-') ? '<' : '>';
  const path = order.replace('-', '');
  if (path === 'id' || value === undefined) {
    values.push(id);
    return `id ${sign} ?`;
  }
  const column = columnOf(path);
  values.push(bound(value), bound(value), id);
  return `${column} ${sign}= ? AND (${column} ${sign} ? OR id ${sign} ?)`;
}

/** Values are added to `values`; without it they are literals. */
function conditionTexts(where: Conditions, values: Values | null): string[] {
  const bind = values === null ? literal : parameterIn(values);
  return Object.entries(definedConditions(where)).flatMap(([path, condition]) =>
    conditionOn(columnOf(path), condition, bind),
  );
}

/** The document after a change, as an expression over the one before. */
function changeText<T>({ set = {}, inc = {}, max = {}, unset = [] }: Change<T>, values: Values): string {
  const terms: string[] = [];
  for (const [path, value] of Object.entries(set)) {
    terms.push(`'$.${path}', json(?)`);
    values.push(JSON.stringify(value));
  }
  for (const [path, amount] of Object.entries(inc)) {
    terms.push(`'$.${path}', coalesce(${columnOf(path)}, 0) + ?`);
    values.push(Number(amount));
  }
  for (const [path, value] of Object.entries(max)) {
    terms.push(`'$.${path}', max(coalesce(${columnOf(path)}, ?), ?)`);
    values.push(Number(value), Number(value));
  }
  const changed = terms.length === 0 ? 'doc' : `json_set(doc, ${terms.join(', ')})`;
  if (unset.length === 0) return changed;
  return `json_remove(${changed}, ${unset.map((path) => `'$.${path}'`).join(', ')})`;
}
