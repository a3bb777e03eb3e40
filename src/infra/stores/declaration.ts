import type { Filter, Name, Path } from './filter.ts';

/**
 * How a value is stored. `json`: JSON text in both databases, as nothing is asked of its inside. `value`: JSON text in
 * SQLite, as it is in MongoDB. `words`: text with commas in SQLite, an array in MongoDB.
 */
export type Kind = 'text' | 'integer' | 'boolean' | 'bytes' | 'json' | 'value' | 'words';

type KindOf<Value> = [Value] extends [string]
  ? 'text'
  : [Value] extends [number]
    ? 'integer'
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
  /** Descending with a `-`. */
  readonly fields: readonly (Path<Row> | `-${Path<Row>}`)[];
  readonly isUnique?: true;
  /** In MongoDB; after its fields unless given. */
  readonly name?: string;
  /** Only the rows that match. */
  readonly where?: Filter<Row>;
}

/**
 * Where rows are stored: the names, types and indexes that both databases have. SQLite's are made by its migrations, and a
 * test compares them; MongoDB's are made from here.
 */
export interface Declaration<Row> {
  /** Of the table and of the collection. A field's column has its name in snake case. */
  readonly name: string;
  readonly fields: { readonly [Field in Name<Row>]-?: FieldType<Row[Field]> };
  /** Columns by the path of their field that are not named after it. */
  readonly columns?: Readonly<Record<string, string>>;
  /** In MongoDB `_id`: the field, or the texts of several, joined by `separator`. */
  readonly key: readonly Name<Row>[];
  readonly separator?: string;
  /** Whether MongoDB has the fields of the key in `_id` alone. */
  readonly isKeyOnly?: true;
  /** Fields that are absent, not null, in a row and in MongoDB. */
  readonly optional?: readonly Name<Row>[];
  /** The field by whose value `insertWithin` counts. In MongoDB each row has one of the numbers below its cap, as `slot`. */
  readonly cappedBy?: Name<Row>;
  /** Unique fields beside the key, in both databases. */
  readonly unique?: readonly Name<Row>[];
  readonly sqliteIndexes?: Readonly<Record<string, Index<Row>>>;
  readonly mongoIndexes?: readonly Index<Row>[];
  /** With fields or conditions that only MongoDB has, as the server takes them. */
  readonly otherMongoIndexes?: readonly {
    readonly key: Readonly<Record<string, 1 | -1>>;
    readonly unique?: true;
    readonly partialFilterExpression?: object;
  }[];
  /** What MongoDB's document has beside the row when it is inserted. */
  readonly mongoExtras?: object;
}

/** A stored value of a row: a field, or a field of an embedded object. */
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

/** The stored values of a declaration's rows, in its order. */
export function storedFields({
  fields,
  columns = {},
}: Pick<Declaration<Record<string, unknown>>, 'columns'> & {
  readonly fields: object;
}): readonly StoredField[] {
  const field = (name: string, inner: string | null, type: string): StoredField => {
    const path = inner === null ? name : `${name}.${inner}`;
    const isNullable = inner !== null || type.endsWith('?');
    return {
      ...{ path, name, inner, isNullable },
      column: columns[path] ?? snakeCase(path),
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
