import type { SQLInputValue } from 'node:sqlite';
import type { Where } from '../../../core/base/documents/documents.ts';
import { type Conditions, definedConditions } from '../documents/index-for.ts';
import {
  type Declaration,
  type Kind,
  type Name,
  type Sort,
  type StoredField,
  storedFields,
} from '../stores/collection.ts';
import { conditionOn, literal, parameterIn, whereText } from './conditions.ts';

type Values = SQLInputValue[];

interface Column extends StoredField {
  readonly decode: ((value: unknown) => unknown) | undefined;
}

/** The SQL of a declaration: its columns, conditions on them, and rows from their values. */
export class SqliteTable<Row extends object> {
  readonly name: string;
  /** The column of the key. */
  readonly key: string;
  readonly fields: readonly Name<Row>[];
  readonly #byPath: ReadonlyMap<string, Column>;
  readonly #byName: ReadonlyMap<string, readonly Column[]>;

  constructor(declaration: Declaration<Row>) {
    const columns = storedFields(declaration).map((field) => ({ ...field, decode: DECODERS[field.kind] }));
    this.#byPath = new Map(columns.map((column) => [column.path, column]));
    this.#byName = Map.groupBy(columns, ({ name }) => name);
    this.name = declaration.name;
    this.key = this.column(declaration.key);
    this.fields = Object.keys(declaration.fields) as Name<Row>[];
  }

  column(path: string): string {
    const field = this.#byPath.get(path);
    if (field === undefined) throw new Error(`${this.name}: no field ${path}`);
    return field.column;
  }

  columnsOf(names: readonly Name<Row>[]): string[] {
    return this.#fieldsOf(names).map(({ column }) => column);
  }

  /** The values of the fields in the order of `columnsOf`. */
  values(row: Partial<Row>, names: readonly Name<Row>[]): Values {
    return this.#fieldsOf(names).map(({ name, inner, kind }) => {
      const value: unknown = row[name as Name<Row>];
      return encode(kind, inner === null ? value : (value as Record<string, unknown> | null)?.[inner]);
    });
  }

  /** Rows from the values of these fields in the order of `columnsOf`. */
  toRows(found: readonly (readonly unknown[])[], names: readonly Name<Row>[]): Row[] {
    const columns = this.#fieldsOf(names);
    return found.map((values) => toRow(values, columns) as Row);
  }

  /** ` WHERE …`, or nothing; the values that it binds are added to `values`. Conditions on the fields of a partial index are literals. */
  where(filter: Where<Row>, values: Values, partial: Where<Row> = {}): string {
    const bind = parameterIn(values);
    const conditions = Object.entries(definedConditions(filter as Conditions));
    return whereText(
      conditions.flatMap(([path, condition]) =>
        conditionOn(this.column(path), condition, path in partial ? literal : bind),
      ),
    );
  }

  orderBy(sort: Sort<Row> = []): string {
    const terms = sort.map((field) =>
      field.startsWith('-') ? `${this.column(field.slice(1))} DESC` : this.column(field),
    );
    return terms.length === 0 ? '' : ` ORDER BY ${terms.join(', ')}`;
  }

  #fieldsOf(names: readonly string[]): readonly Column[] {
    return names.flatMap((name) => this.#byName.get(name) ?? []);
  }
}

function toRow(values: readonly unknown[], columns: readonly Column[]): object {
  const row: Record<string, unknown> = {};
  for (let index = 0; index < columns.length; index++) {
    const { name, inner, decode } = columns[index] as Column;
    const value = decode === undefined ? values[index] : decode(values[index]);
    if (inner === null) row[name] = value;
    // The first field of an embedded object says whether there is one.
    else if (row[name] === undefined) row[name] = value === null ? null : { [inner]: value };
    else if (row[name] !== null) (row[name] as Record<string, unknown>)[inner] = value;
  }
  return row;
}

const DECODERS: Readonly<Partial<Record<Kind, (value: unknown) => unknown>>> = {
  boolean: (value) => (value === null ? null : value === 1),
  json: parsed,
  value: parsed,
};

function parsed(value: unknown): unknown {
  return value === null ? null : JSON.parse(String(value));
}

function encode(kind: Kind, value: unknown): SQLInputValue {
  if (value === null || value === undefined) return null;
  if (kind === 'json' || kind === 'value') return JSON.stringify(value);
  return kind === 'boolean' ? Number(value) : (value as SQLInputValue);
}
