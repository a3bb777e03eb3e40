import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

/** Statements of a connection, each of which is prepared once. */
export class Statements {
  readonly #db: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  /** Rows as arrays of their values. */
  all(sql: string, values: readonly SQLInputValue[]): unknown[][] {
    return this.#prepare(sql).all(...values) as unknown as unknown[][];
  }

  /** Returns the number of changed rows. */
  run(sql: string, values: readonly SQLInputValue[]): number {
    return Number(this.#prepare(sql).run(...values).changes);
  }

  #prepare(sql: string): StatementSync {
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    const statement = this.#db.prepare(sql);
    statement.setReturnArrays(true);
    this.#prepared.set(sql, statement);
    return statement;
  }
}
