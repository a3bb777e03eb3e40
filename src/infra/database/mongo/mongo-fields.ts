import type { mongo } from 'mongoose';
import type { Condition, Scalar, Where } from '../../../core/base/documents/documents.ts';
import { type Conditions, definedConditions } from '../documents/index-for.ts';
import { type Declaration, type Kind, type Name, type Sort, storedFields } from '../stores/collection.ts';

export interface StoredDocument extends mongo.Document {
  readonly _id: string | number;
}

export type MongoFilter = mongo.Filter<StoredDocument>;

export class MongoFields<Row extends object> {
  readonly #declaration: Declaration<Row>;
  readonly #names: readonly Name<Row>[];
  readonly #kinds: ReadonlyMap<string, Kind>;

  constructor(declaration: Declaration<Row>) {
    this.#declaration = declaration;
    this.#names = Object.keys(declaration.fields) as Name<Row>[];
    this.#kinds = new Map(storedFields(declaration).map(({ path, kind }) => [path, kind]));
  }

  /** Where a field is in a document. */
  path(field: string): string {
    return field === this.#declaration.key ? '_id' : field;
  }

  toDocument(row: Row): StoredDocument {
    return this.encode(row) as unknown as StoredDocument;
  }

  /** The fields of `row` as a document has them. */
  encode(row: Partial<Row>): Record<string, unknown> {
    const document: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(row))
      document[this.path(name)] = this.#kinds.get(name) === 'json' ? JSON.stringify(value) : value;
    return document;
  }

  toRow(document: StoredDocument): Row {
    return this.toFields(this.#names, document) as Row;
  }

  toFields<Field extends Name<Row>>(names: readonly Field[], document: StoredDocument): Pick<Row, Field> {
    const row: Record<string, unknown> = {};
    for (const name of names) {
      const value = document[this.path(name)] ?? null;
      row[name] = this.#kinds.get(name) === 'json' && value !== null ? JSON.parse(String(value)) : value;
    }
    return row as Pick<Row, Field>;
  }

  filter(where: Where<Row> = {}): MongoFilter {
    return filterOf(where as Conditions, (path) => this.path(path));
  }

  sort(sort: Sort<Row>): Record<string, 1 | -1> {
    return Object.fromEntries(
      sort.map((field) => (field.startsWith('-') ? [this.path(field.slice(1)), -1] : [this.path(field), 1])),
    );
  }

  indexes(): (mongo.IndexDescription & { readonly name: string })[] {
    const { unique = [], indexes = {} } = this.#declaration;
    return [
      ...unique.map((name) => ({ name: `${name}_1`, key: { [this.path(name)]: 1 as const }, unique: true })),
      ...Object.entries(indexes).map(([name, { fields, where }]) => ({
        name,
        key: this.sort(fields),
        ...(where && { partialFilterExpression: this.filter(where) }),
      })),
    ];
  }
}

export function filterOf(where: Conditions, pathOf: (path: string) => string): MongoFilter {
  const conditions = Object.entries(definedConditions(where));
  return Object.fromEntries(
    conditions.map(([path, condition]) => [pathOf(path), operatorsOf(condition)]),
  ) as MongoFilter;
}

function operatorsOf(condition: Condition<Scalar>): unknown {
  if (condition === null || typeof condition !== 'object') return condition;
  const named = Object.entries(condition).filter(([, value]) => value !== undefined);
  return Object.fromEntries(named.map(([name, value]) => [`$${name}`, value]));
}

/** Whether a filter names one document. The driver retries writes of one document. */
export function isOne({ _id }: MongoFilter): boolean {
  return typeof _id === 'string' || typeof _id === 'number';
}
