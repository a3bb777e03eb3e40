import type { Declaration } from './declaration.ts';
import type { Filter, Name, Scalar, Sort } from './filter.ts';

export interface FindQuery<Row> {
  readonly where?: Filter<Row>;
  readonly sort?: Sort<Row>;
  readonly limit?: number;
  /** Values of the fields of `sort`, one or two in one direction: only rows beyond these. */
  readonly after?: Partial<Row> | undefined;
  /** The index to use, where the planner would choose another or the condition alone does not name it. */
  readonly index?: { readonly sqlite?: string; readonly mongo?: string };
  /** Only what a majority of a replica set has acknowledged: what is read is never rolled back. */
  readonly isCommitted?: true;
}

/** New values of fields, and amounts to add to them. */
export interface Change<Row> {
  readonly set?: Partial<Row> & { readonly [path: `${string}.${string}`]: Scalar };
  readonly add?: { readonly [Field in Name<Row>]?: number };
  /** The rows no longer count for `insertWithin` of MongoDB. */
  readonly freesSlot?: true;
}

/**
 * Rows of one kind in a database. Each call is one atomic statement per row on both databases; what several rows get is one
 * transaction on SQLite, and on MongoDB may be half done when a call fails.
 */
export interface Collection<Row> {
  /** The row with this key: a value for each field of the declaration's `key`. */
  get(...key: readonly Scalar[]): Promise<Row | null>;
  find(query?: FindQuery<Row>): Promise<Row[]>;
  /** Fields of the rows that `find` would give, read without the others. */
  pick<Field extends Name<Row>>(fields: readonly Field[], query: FindQuery<Row>): Promise<Pick<Row, Field>[]>;
  count(where?: Filter<Row>, index?: FindQuery<Row>['index']): Promise<number>;
  /** The number of rows with each value of a field. */
  countBy<Field extends Name<Row>>(
    field: Field,
    where?: Filter<Row>,
  ): Promise<ReadonlyMap<Row[Field], number>>;
  /** The sums of fields over the rows that match; 0 where none does. */
  sum<Field extends Name<Row>>(
    where: Filter<Row>,
    fields: readonly Field[],
  ): Promise<Readonly<Record<Field, number>>>;
  /** The values of a field, each once, ascending. */
  distinct<Field extends Name<Row>>(field: Field): Promise<Row[Field][]>;
  /** Inserts rows whose key and unique fields are free, and gives those rows; the others stay as they are. */
  insertNew(rows: readonly Row[]): Promise<readonly Row[]>;
  /**
   * Inserts a row unless `cap` rows have its value of the field `cappedBy`; false then. Concurrent calls keep to the cap.
   * Throws when the key is taken.
   */
  insertWithin(row: Row, cap: number): Promise<boolean>;
  /** Inserts a row under the next number, 1, 2, 3 … without a gap, and gives the number. */
  append(row: Omit<Row, keyof Row & ('seq' | 'number')>): Promise<number>;
  /** Inserts a row or replaces the one with its key, only where that one matches `over`; false where it does not. */
  put(row: Row, over?: Filter<Row>): Promise<boolean>;
  /** Inserts a row, or sets some of its fields in the one with its key. Gives the row as it is then. */
  upsert(row: Row, fields: readonly Name<Row>[]): Promise<Row>;
  /**
   * Adds each amount to a field of the row whose key is `prefix` and the amount's; rows that are missing are inserted. The
   * row has no other fields.
   */
  increment(field: Name<Row>, prefix: readonly Scalar[], amounts: ReadonlyMap<string, number>): Promise<void>;
  /** Changes all rows that match, and gives their number. */
  update(where: Filter<Row>, change: Change<Row>): Promise<number>;
  /** Changes the row that matches, and gives it as it is then; null when none does. */
  updateOne(where: Filter<Row>, change: Change<Row>): Promise<Row | null>;
  /** Several updates. */
  updateEach(
    updates: readonly { readonly where: Filter<Row>; readonly change: Change<Row> }[],
  ): Promise<void>;
  /** Gives the number of rows that matched. */
  delete(where: Filter<Row>): Promise<number>;
}

/** Opens the collection of a declaration. */
export type OpenCollection = <Row extends object>(declaration: Declaration<Row>) => Collection<Row>;
