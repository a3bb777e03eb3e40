import type { Where } from '../../../core/base/documents/documents.ts';

export type Name<Row> = keyof Row & string;
/** Fields to sort by; descending with a `-`. */
export type Sort<Row> = readonly (Name<Row> | `-${Name<Row>}`)[];

/**
 * How a value is stored. `json`: JSON text in both databases, as nothing is asked of its inside. `value`: JSON text in
 * SQLite, as it is in MongoDB.
 */
export type Kind = 'text' | 'integer' | 'number' | 'boolean' | 'json' | 'value';

type KindOf<Value> = [Value] extends [string]
  ? 'text'
  : [Value] extends [number]
    ? 'integer' | 'number'
    : [Value] extends [boolean]
      ? 'boolean'
      : 'json' | 'value' | { readonly [Field in keyof Value]-?: KindOf<NonNullable<Value[Field]>> };

/** With `?` when it can be null. An embedded object can always be null. */
type FieldType<Value> = [Extract<Value, null>] extends [never]
  ? KindOf<Value>
  : Nullable<KindOf<NonNullable<Value>>>;
type Nullable<Type> = Type extends string ? `${Type}?` : Type;

export interface Index<Row> {
  readonly fields: readonly Name<Row>[];
  readonly where?: Where<Row>;
}

/** Where rows are stored: the names, types and indexes from which both databases make their schema. */
export interface Declaration<Row> {
  /** Of the table and of the collection. A field's column has its name in snake case. */
  readonly name: string;
  readonly fields: { readonly [Field in Name<Row>]-?: FieldType<Row[Field]> };
  /** In MongoDB `_id`. */
  readonly key: Name<Row>;
  /** Whether SQLite refuses every change but a row with the next number. */
  readonly isAppendOnly?: true;
  /** Unique fields beside the key. */
  readonly unique?: readonly Name<Row>[];
  /** By their names in both databases. */
  readonly indexes?: Readonly<Record<string, Index<Row>>>;
}

export interface FindQuery<Row> {
  readonly where?: Where<Row>;
  readonly sort?: Sort<Row>;
  readonly limit?: number;
  /** The index to use: the planner would choose another. `where` has the conditions of a partial one. */
  readonly index?: string;
  /** Only what a majority of a replica set has acknowledged: what is read is never rolled back. */
  readonly isCommitted?: true;
}

export interface Update<Row> {
  readonly where: Where<Row>;
  /** New values of fields. */
  readonly set: Partial<Row>;
}

/** Each call is one atomic statement per row; several rows are one transaction on SQLite only. */
export interface Collection<Row> {
  find(query: FindQuery<Row>): Promise<Row[]>;
  /** Fields of the rows that `find` would give, read without the others. */
  pick<Field extends Name<Row>>(fields: readonly Field[], query: FindQuery<Row>): Promise<Pick<Row, Field>[]>;
  /** The values that a field has in the rows that match, each once. */
  distinct<Field extends Name<Row>>(field: Field, where: Where<Row>): Promise<Row[Field][]>;
  /** Inserts rows in their order. False where a key or unique field is taken: then no row is in SQLite, and those before it in MongoDB. */
  insertInOrder(rows: readonly Row[]): Promise<boolean>;
  /** Inserts a row or replaces the one with its key, only where that one matches `over`; false where it does not. */
  put(row: Row, over: Where<Row>): Promise<boolean>;
  /** Changes all rows that match. */
  update(update: Update<Row>): Promise<void>;
  /** Several updates, each of one row. */
  updateEach(updates: readonly Update<Row>[]): Promise<void>;
}

export type OpenCollection = <Row extends object>(declaration: Declaration<Row>) => Collection<Row>;

export interface StoredField {
  /** In a row and in MongoDB's document: `marketId`, `withdrawn.at`. */
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
