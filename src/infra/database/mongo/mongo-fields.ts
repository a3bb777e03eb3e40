import type { mongo } from 'mongoose';
import {
  type Condition,
  type Declaration,
  type Filter,
  type FindQuery,
  type Kind,
  type Name,
  type Scalar,
  type Sort,
  storedFields,
} from '../stores/collection.ts';

export interface StoredDocument extends mongo.Document {
  readonly _id: string | number;
}

const OPERATORS = {
  in: '$in',
  notIn: '$nin',
  lt: '$lt',
  lte: '$lte',
  gt: '$gt',
  gte: '$gte',
  ne: '$ne',
} as const;

export class MongoFields<Row extends object> {
  readonly #declaration: Declaration<Row>;
  readonly #names: readonly Name<Row>[];
  readonly #kinds: ReadonlyMap<string, Kind>;
  readonly #id: string | null;

  constructor(declaration: Declaration<Row>) {
    this.#declaration = declaration;
    this.#names = Object.keys(declaration.fields) as Name<Row>[];
    this.#kinds = new Map(storedFields(declaration).map(({ path, kind }) => [path, kind]));
    this.#id = declaration.key.length === 1 ? (declaration.key[0] ?? null) : null;
  }

  /** Where a field is in a document. */
  path(field: string): string {
    return field === this.#id ? '_id' : field;
  }

  idOf(row: Row): string | number {
    return this.id(this.#declaration.key.map((name) => row[name] as Scalar));
  }

  id(key: readonly Scalar[]): string | number {
    return key.length === 1 ? (key[0] as string | number) : key.join(this.#declaration.separator);
  }

  /** The fields of a document but for `_id`; those in `row` alone. */
  encode(row: Partial<Row>): Record<string, unknown> {
    const document: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(row)) {
      if (value === undefined || name === this.#id) continue;
      document[name] = this.#kinds.get(name) === 'json' && value !== null ? JSON.stringify(value) : value;
    }
    return document;
  }

  toRow(document: StoredDocument): Row {
    return this.toFields(this.#names, document) as Row;
  }

  toFields<Field extends Name<Row>>(names: readonly Field[], document: StoredDocument): Pick<Row, Field> {
    const { optional = [] } = this.#declaration;
    const row: Record<string, unknown> = {};
    for (const name of names) {
      const value = document[this.path(name)] ?? null;
      if (value !== null || !optional.includes(name)) row[name] = decoded(this.#kinds.get(name), value);
    }
    return row as Pick<Row, Field>;
  }

  filter({ or, and, ...fields }: Filter<Row> = {}): mongo.Filter<StoredDocument> {
    const filter: Record<string, unknown> = {};
    for (const [path, condition] of Object.entries(fields)) {
      if (condition !== undefined)
        filter[this.path(path)] = this.#condition(path, condition as Condition<Scalar>);
    }
    if (or !== undefined) filter['$or'] = or.map((part) => this.filter(part));
    if (and !== undefined) filter['$and'] = and.map((part) => this.filter(part));
    return (this.#id === null ? this.#byWholeKey(filter) : filter) as mongo.Filter<StoredDocument>;
  }

  sort(sort: Sort<Row>): Record<string, 1 | -1> {
    return Object.fromEntries(
      sort.map((field) => (field.startsWith('-') ? [this.path(field.slice(1)), -1] : [this.path(field), 1])),
    );
  }

  /** The filter of a query. The first field of `after` is bounded on its own, too, so that its index is entered there. */
  beyond({ where, sort = [], after }: FindQuery<Row>): mongo.Filter<StoredDocument> {
    const filter = this.filter(where);
    if (after === undefined) return filter;
    const side = sort[0]?.startsWith('-') ? 'lt' : 'gt';
    const [first, ...rest] = sort.map((field) => {
      const name = field.replace('-', '') as Name<Row>;
      return { path: this.path(name), value: after[name] };
    });
    if (first === undefined) return filter;
    if (rest.length === 0) return { $and: [filter, { [first.path]: { [`$${side}`]: first.value } }] };
    const places = [first, ...rest].map(({ path, value }) => ({ [path]: { [`$${side}`]: value } }));
    return { $and: [filter, { [first.path]: { [`$${side}e`]: first.value } }, { $or: places }] };
  }

  indexes(): (mongo.IndexDescription & { readonly name: string })[] {
    const { unique = [], indexes = {} } = this.#declaration;
    const declared = Object.entries(indexes).filter(([, { on }]) => on !== 'sqlite');
    return [
      ...unique.map((name) => ({ name: `${name}_1`, key: { [this.path(name)]: 1 as const }, unique: true })),
      ...declared.map(([name, { fields, isUnique, where }]) => ({
        name,
        key: this.sort(fields),
        ...(isUnique && { unique: true }),
        ...(where && { partialFilterExpression: this.filter(where) }),
      })),
    ];
  }

  #condition(path: string, condition: Condition<Scalar>): unknown {
    if (condition === null || typeof condition !== 'object') return condition;
    if ('present' in condition) return this.#kinds.get(path) === 'text' ? { $gt: '' } : { $gte: 0 };
    const named = Object.entries(condition).filter(([, value]) => value !== undefined);
    return Object.fromEntries(
      named.map(([name, value]) => [OPERATORS[name as keyof typeof OPERATORS], value]),
    );
  }

  /** Conditions on all fields of a key of several as one on `_id`. */
  #byWholeKey(filter: Record<string, unknown>): object {
    const { key } = this.#declaration;
    if (!key.every((name) => isScalar(filter[name]))) return filter;
    const rest = Object.entries(filter).filter(([name]) => !(key as readonly string[]).includes(name));
    return { _id: this.id(key.map((name) => filter[name] as Scalar)), ...Object.fromEntries(rest) };
  }
}

function decoded(kind: Kind | undefined, value: unknown): unknown {
  if (value === null) return null;
  if (kind === 'json') return JSON.parse(String(value));
  return kind === 'bytes' ? (value as mongo.Binary).buffer : value;
}

export function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}
