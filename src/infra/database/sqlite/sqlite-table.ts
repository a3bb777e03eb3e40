import type { SQLInputValue } from 'node:sqlite';
import {
  type Condition,
  type Declaration,
  type Filter,
  type Kind,
  type Name,
  type Scalar,
  type Sort,
  type StoredField,
  storedFields,
} from '../stores/collection.ts';

type Values = SQLInputValue[];
type Fields = Readonly<Record<string, unknown>>;
/** Gives the text of a value within a statement. */
type Bind = (value: Scalar) => string;

interface Column extends StoredField {
  readonly decode: ((value: unknown) => unknown) | undefined;
}

type Operators = Partial<Record<'lt' | 'lte' | 'gt' | 'gte', Scalar>> & {
  readonly [list in 'in' | 'notIn']?: readonly Scalar[];
} & { readonly ne?: Scalar | null; readonly present?: true };

const COMPARISONS = { lt: '<', lte: '<=', gt: '>', gte: '>=' } as const;

/** The SQL of a declaration: its columns, conditions on them, and rows from their values. */
export class SqliteTable<Row extends object> {
  readonly name: string;
  /** Columns of the key, with commas. */
  readonly key: string;
  /** All columns, with commas, in the order of `values` and `toRow`. */
  readonly columns: string;
  readonly #declaration: Declaration<Row>;
  readonly #fields: readonly Column[];
  readonly #byPath: ReadonlyMap<string, Column>;
  readonly #byName: ReadonlyMap<string, readonly Column[]>;
  /** Conditions of partial indexes. In a statement they are written the same way, as a parameter would not find the index. */
  readonly #literals: ReadonlySet<string>;

  constructor(declaration: Declaration<Row>) {
    this.#declaration = declaration;
    this.#fields = storedFields(declaration).map((field) => ({ ...field, decode: DECODERS[field.kind] }));
    this.#byPath = new Map(this.#fields.map((field) => [field.path, field]));
    this.#byName = Map.groupBy(this.#fields, ({ name }) => name);
    this.name = declaration.name;
    this.key = declaration.key.map((name) => this.column(name)).join(', ');
    this.columns = this.#fields.map(({ column }) => column).join(', ');
    const indexes = Object.values(declaration.indexes ?? {}).filter(({ on }) => on !== 'mongodb');
    this.#literals = new Set(indexes.flatMap(({ where }) => (where ? this.#atoms(where) : [])));
  }

  column(path: string): string {
    const field = this.#byPath.get(path);
    if (field === undefined) throw new Error(`${this.name}: no field ${path}`);
    return field.column;
  }

  /** The values of a row in the order of `columns`; of the fields in `names` alone when they are given. */
  values(row: Partial<Row>, names?: readonly Name<Row>[]): Values {
    const fields = names === undefined ? this.#fields : this.#fieldsOf(names);
    return fields.map(({ path, name, inner, kind }) => {
      const value = row[(path in row ? path : name) as Name<Row>];
      return encode(
        kind,
        inner === null || path in row ? value : (value as Fields | null | undefined)?.[inner],
      );
    });
  }

  columnsOf(names: readonly Name<Row>[]): string[] {
    return this.#fieldsOf(names).map(({ column }) => column);
  }

  /** Rows from their values in the order of `columns`, or from those of the fields in `names` alone. */
  toRows(found: readonly (readonly unknown[])[], names?: readonly Name<Row>[]): Row[] {
    const fields = names === undefined ? this.#fields : this.#fieldsOf(names);
    return found.map((values) => this.#toRow(values, fields));
  }

  #toRow(values: readonly unknown[], fields: readonly Column[]): Row {
    const row: Record<string, unknown> = {};
    for (let index = 0; index < fields.length; index++) {
      const { name, inner, decode } = fields[index] as Column;
      const value = decode === undefined ? values[index] : decode(values[index]);
      if (inner === null) row[name] = value;
      // The first field of an embedded object says whether there is one.
      else if (row[name] === undefined) row[name] = value === null ? null : { [inner]: value };
      else if (row[name] !== null) (row[name] as Record<string, unknown>)[inner] = value;
    }
    for (const name of this.#declaration.optional ?? []) if (row[name] === null) delete row[name];
    return row as Row;
  }

  /** ` WHERE …`, or nothing; the values that it binds are added to `values`. */
  where(filter: Filter<Row> | undefined, values: Values): string {
    const bind = (value: Scalar) => {
      values.push(typeof value === 'boolean' ? Number(value) : value);
      return '?';
    };
    const conditions = filter === undefined ? [] : this.#conditions(filter, bind);
    return conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
  }

  orderBy(sort: Sort<Row> = []): string {
    const terms = sort.map((field) =>
      field.startsWith('-') ? `${this.column(field.slice(1))} DESC` : this.column(field),
    );
    return terms.length === 0 ? '' : ` ORDER BY ${terms.join(', ')}`;
  }

  /** The rows beyond these values of the fields that the rows are sorted by, all in one direction. */
  after(sort: Sort<Row>, row: Partial<Row>, values: Values): string {
    const isDescending = sort[0]?.startsWith('-') === true;
    const names = sort.map((field) => field.replace('-', '') as Name<Row>);
    values.push(...this.values(row, names));
    const places = names.map(() => '?').join(', ');
    return `(${this.columnsOf(names).join(', ')}) ${isDescending ? '<' : '>'} (${places})`;
  }

  /** A condition as the statement has it that creates a partial index. */
  literalCondition(filter: Filter<Row>): string {
    return this.#conditions(filter, literal).join(' AND ');
  }

  #atoms({ or = [], and = [], ...fields }: Filter<Row>): string[] {
    const own = Object.entries(fields).map(([path, condition]) =>
      this.#condition(path, condition as Condition<Scalar>, literal),
    );
    return [...own, ...[...or, ...and].flatMap((part) => this.#atoms(part))];
  }

  #conditions({ or, and = [], ...fields }: Filter<Row>, bind: Bind): string[] {
    const conditions: string[] = [];
    for (const [path, condition] of Object.entries(fields) as [string, Condition<Scalar> | undefined][]) {
      if (condition !== undefined) conditions.push(this.#condition(path, condition, bind));
    }
    if (or !== undefined) conditions.push(`(${or.map((part) => this.#grouped(part, bind)).join(' OR ')})`);
    for (const part of and) conditions.push(...this.#conditions(part, bind));
    return conditions;
  }

  #grouped(filter: Filter<Row>, bind: Bind): string {
    const parts = this.#conditions(filter, bind);
    return parts.length === 1 ? (parts[0] ?? '') : `(${parts.join(' AND ')})`;
  }

  #condition(path: string, condition: Condition<Scalar>, bind: Bind): string {
    const column = this.column(path);
    if (bind !== literal && this.#literals.size > 0) {
      const text = conditionOn(column, condition, literal);
      if (this.#literals.has(text)) return text;
    }
    return conditionOn(column, condition, bind);
  }

  #fieldsOf(names: readonly string[]): readonly Column[] {
    return names.flatMap((name) => this.#byName.get(name) ?? this.#byPath.get(name) ?? []);
  }
}

function conditionOn(column: string, condition: Condition<Scalar>, bind: Bind): string {
  if (condition === null) return `${column} IS NULL`;
  if (typeof condition !== 'object') return `${column} = ${bind(condition)}`;
  const operators = condition as Operators;
  const list = operators.in ?? operators.notIn;
  if (list !== undefined) {
    const values =
      bind === literal
        ? list.map(literal).join(', ')
        : `SELECT value FROM json_each(${bind(JSON.stringify(list))})`;
    return `${column} ${operators.in === undefined ? 'NOT IN' : 'IN'} (${values})`;
  }
  if (operators.present) return `${column} IS NOT NULL`;
  if (operators.ne === null) return `${column} IS NOT NULL`;
  if (operators.ne !== undefined) return `${column} IS NOT ${bind(operators.ne)}`;
  const parts: string[] = [];
  for (const [name, sign] of Object.entries(COMPARISONS)) {
    const value = operators[name as keyof typeof COMPARISONS];
    if (value !== undefined) parts.push(`${column} ${sign} ${bind(value)}`);
  }
  return parts.join(' AND ');
}

const literal: Bind = (value) =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(Number(value));

const DECODERS: Readonly<Partial<Record<Kind, (value: unknown) => unknown>>> = {
  boolean: (value) => (value === null ? null : value === 1),
  json: parsed,
  value: parsed,
  words: (value) => (value === null ? null : String(value).split(',')),
};

function parsed(value: unknown): unknown {
  return value === null ? null : JSON.parse(String(value));
}

function encode(kind: Kind, value: unknown): SQLInputValue {
  if (value === null || value === undefined) return null;
  if (kind === 'json' || kind === 'value') return JSON.stringify(value);
  if (kind === 'words') return (value as readonly string[]).join(',');
  return kind === 'boolean' ? Number(value) : (value as SQLInputValue);
}
