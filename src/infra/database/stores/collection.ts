export type Name<Row> = keyof Row & string;
/** A field, or a field of an embedded object (`trial.endsAt`). */
export type Path<Row> = Name<Row> | `${string}.${string}`;

/** A value that a database can compare. */
export type Scalar = string | number | boolean;

/** Equal, or null, or an operator. `present`: not null, empty or negative. */
export type Condition<Value> =
  | Value
  | null
  | { readonly in: readonly Value[] }
  | { readonly notIn: readonly Value[] }
  | { readonly lt?: Value; readonly lte?: Value; readonly gt?: Value; readonly gte?: Value }
  | { readonly ne: Value | null }
  | { readonly present: true };

/** All of its conditions, and at least one of `or`. A condition that is `undefined` is left out. */
export type Filter<Row> = { readonly [Field in Name<Row>]?: Condition<Row[Field]> | undefined } & {
  readonly [path: `${string}.${string}`]: Condition<Scalar> | undefined;
} & { readonly or?: readonly Filter<Row>[]; readonly and?: readonly Filter<Row>[] };

/** Fields to sort by; descending with a `-`. */
export type Sort<Row> = readonly (Path<Row> | `-${Path<Row>}`)[];

/**
 * How a value is stored. `json`: JSON text in both databases, as nothing is asked of its inside. `value`: JSON text in
 * SQLite, as it is in MongoDB. `words`: text with commas in SQLite, an array in MongoDB.
 */
export type Kind = 'text' | 'integer' | 'number' | 'boolean' | 'bytes' | 'json' | 'value' | 'words';

type KindOf<Value> = [Value] extends [string]
  ? 'text'
  : [Value] extends [number]
    ? 'integer' | 'number'
    : [Value] extends [boolean]
      ? 'boolean'
      : [Value] extends [Uint8Array]
        ? 'bytes'
        :
            | 'json'
            | 'value'
            | 'words'
            | { readonly [Field in keyof Value]-?: KindOf<NonNullable<Value[Field]>> };

/** With `?` when it can be null or absent. An embedded object can always be null. */
type FieldType<Value> = [Extract<Value, null | undefined>] extends [never]
  ? KindOf<Value>
  : Nullable<KindOf<NonNullable<Value>>>;
type Nullable<Type> = Type extends string ? `${Type}?` : Type;

export interface Index<Row> {
  readonly fields: readonly Path<Row>[];
  readonly isUnique?: true;
  readonly where?: Filter<Row>;
  /** The database that needs it; both unless given. */
  readonly on?: 'sqlite' | 'mongodb';
}

/** Where rows are stored: the names, types and indexes from which both databases make their schema. */
export interface Declaration<Row> {
  /** Of the table and of the collection. A field's column has its name in snake case. */
  readonly name: string;
  readonly fields: { readonly [Field in Name<Row>]-?: FieldType<Row[Field]> };
  /** In MongoDB `_id`: the field, or the texts of several, joined by `separator`. */
  readonly key: readonly Name<Row>[];
  readonly separator?: string;
  /** Whether SQLite stores the rows themselves in the order of a key that is not a number: for short rows. Default: those with a key of several fields. */
  readonly isClustered?: boolean;
  /** Whether SQLite refuses every change but a row with the next number. */
  readonly isAppendOnly?: true;
  /** Fields that are absent, not null, in a row and in MongoDB. */
  readonly optional?: readonly Name<Row>[];
  /** Unique fields beside the key. */
  readonly unique?: readonly Name<Row>[];
  /** By their names in both databases. */
  readonly indexes?: Readonly<Record<string, Index<Row>>>;
}

export interface FindQuery<Row> {
  readonly where?: Filter<Row>;
  readonly sort?: Sort<Row>;
  readonly limit?: number;
  /** Values of the fields of `sort`, one or two in one direction: only rows beyond these. */
  readonly after?: Partial<Row> | undefined;
  /** The index to use where the database has it: the planner would choose another. */
  readonly index?: string | undefined;
  /** Only what a majority of a replica set has acknowledged: what is read is never rolled back. */
  readonly isCommitted?: true;
}

/** New values of fields. */
export interface Change<Row> {
  readonly set: Partial<Row> & { readonly [path: `${string}.${string}`]: Scalar };
}

export interface Update<Row> {
  readonly where: Filter<Row>;
  readonly change: Change<Row>;
}

/** Each call is one atomic statement per row; several rows are one transaction on SQLite only. */
export interface Collection<Row> {
  /** The row with this key: a value for each field of the declaration's `key`. */
  get(...key: readonly Scalar[]): Promise<Row | null>;
  find(query?: FindQuery<Row>): Promise<Row[]>;
  /** Fields of the rows that `find` would give, read without the others. */
  pick<Field extends Name<Row>>(fields: readonly Field[], query: FindQuery<Row>): Promise<Pick<Row, Field>[]>;
  count(where?: Filter<Row>, index?: string): Promise<number>;
  countBy<Field extends Name<Row>>(
    field: Field,
    where?: Filter<Row>,
  ): Promise<ReadonlyMap<Row[Field], number>>;
  /** The sums of fields over the rows that match; 0 where none does. */
  sum<Field extends Name<Row>>(
    where: Filter<Row>,
    fields: readonly Field[],
  ): Promise<Readonly<Record<Field, number>>>;
  /** Inserts rows whose key and unique fields are free, and gives those rows; the others stay as they are. */
  insertNew(rows: readonly Row[]): Promise<readonly Row[]>;
  /** Inserts rows in their order. False where a key or unique field is taken: then no row is in SQLite, and those before it in MongoDB. */
  insertInOrder(rows: readonly Row[]): Promise<boolean>;
  /** Inserts a row or replaces the one with its key, only where that one matches `over`; false where it does not. */
  put(row: Row, over?: Filter<Row>): Promise<boolean>;
  /** Rows in the order of their keys, after a key. */
  page(after: readonly Scalar[] | null, limit: number): Promise<Row[]>;
  /** Changes all rows that match, and gives their number. */
  update(where: Filter<Row>, change: Change<Row>): Promise<number>;
  /** Several updates. Gives the number of rows that matched, summed over them. */
  updateEach(updates: readonly Update<Row>[]): Promise<number>;
  delete(where: Filter<Row>): Promise<number>;
}

export type OpenCollection = <Row extends object>(declaration: Declaration<Row>) => Collection<Row>;

export interface StoredField {
  /** In a row and in MongoDB's document: `keyId`, `trial.endsAt`. */
  readonly path: string;
  readonly name: string;
  /** The field of the embedded object `name`; null when this is no such field. */
  readonly inner: string | null;
  readonly column: string;
  readonly kind: Kind;
  readonly isNullable: boolean;
}

export function storedFields({ fields }: { readonly fields: object }): readonly StoredField[] {
  const field = (name: string, inner: string | null, type: string): StoredField => {
    const path = inner === null ? name : `${name}.${inner}`;
    const isNullable = inner !== null || type.endsWith('?');
    return {
      path,
      name,
      inner,
      isNullable,
      column: snakeCase(path),
      kind: type.replace('?', '') as Kind,
    };
  };
  return Object.entries(fields as Readonly<Record<string, string | object>>).flatMap(([name, type]) =>
    typeof type === 'string'
      ? [field(name, null, type)]
      : Object.entries(type).map(([inner, each]) => field(name, inner, each)),
  );
}

function snakeCase(path: string): string {
  return path.replace('.', '_').replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
