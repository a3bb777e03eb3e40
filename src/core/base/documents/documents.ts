import type { z } from 'zod';

/** Ids are ordered as text or as numbers; a kind has one of the two. */
export type DocumentId = string | number;

/** What every document has. */
export interface Identified {
  readonly id: DocumentId;
}

/** A value by which documents are found. */
export type Scalar = string | number | boolean;

type InnerField<Value> =
  NonNullable<Value> extends readonly unknown[] | string | number | boolean
    ? never
    : keyof NonNullable<Value> & string;

/** A field, or a field of an embedded object (`trial.endsAt`). */
export type Path<T> = { [Field in keyof T & string]: Field | `${Field}.${InnerField<T[Field]>}` }[keyof T &
  string];

type ValueAt<T, P extends string> = P extends keyof T
  ? T[P]
  : P extends `${infer Outer}.${infer Inner}`
    ? Outer extends keyof T
      ? Inner extends keyof NonNullable<T[Outer]>
        ? NonNullable<T[Outer]>[Inner]
        : never
      : never
    : never;

/** Bounds of a value. */
export interface Range<Value> {
  readonly lt?: Value;
  readonly lte?: Value;
  readonly gt?: Value;
  readonly gte?: Value;
}

/** Equal to a value; null or absent; one of a list; or within a range, which neither null nor an absent value is. */
export type Condition<Value> = Value | null | { readonly in: readonly Value[] } | Range<NonNullable<Value>>;

/** Documents that match every condition. A condition that is `undefined` is left out. */
export type Where<T> = { readonly [P in Path<T>]?: Condition<ValueAt<T, P>> | undefined };

/** An index of both databases. */
export interface DocumentIndex<T> {
  /** Documents with the same values are ordered by their ids. */
  readonly fields: readonly Path<T>[];
  /** Of fields that every indexed document has: `where` leaves out those that are null. */
  readonly isUnique?: true;
  /** The documents that it has: those that match. `{ gt: '' }` and `{ gte: 0 }` are all with a text or a number. */
  readonly where?: Where<T>;
}

/** A kind of document: what both databases make their tables, collections and indexes of. */
export interface Declaration<T extends Identified> {
  /** Name of the table and of the collection. */
  readonly kind: string;
  /** Every document that is written is parsed by it. What is read was written so. */
  readonly schema: z.ZodType<T>;
  /** By name, which is unique among all kinds. */
  readonly indexes?: Readonly<Record<string, DocumentIndex<T>>>;
}

/** Which documents are read, and in which order. Without an order any. */
export interface Query<T> {
  readonly where?: Where<T>;
  /** The field by which the documents are ordered, then by id; descending with a `-`. */
  readonly order?: Path<T> | `-${Path<T>}` | undefined;
  /** Only documents beyond this one in that order: its value of the field, and its id. */
  readonly after?: { readonly value?: Scalar; readonly id: DocumentId } | undefined;
  readonly limit?: number;
}

/** One change of a document, in which each path stands once. A path into an embedded object needs the object. */
export interface Change<T> {
  readonly set?: { readonly [P in Path<T>]?: ValueAt<T, P> };
  /** Amounts that are added; an absent value counts as 0. */
  readonly inc?: { readonly [P in Path<T>]?: number };
  /** The larger of this and the value. */
  readonly max?: { readonly [P in Path<T>]?: number };
  readonly unset?: readonly Path<T>[];
}

/** A change of the documents that match. */
export interface Update<T> {
  readonly where: Where<T>;
  readonly change: Change<T>;
}

/** The time limit of a call whose work grows with the data. */
export const LONG_CALL_MS = 60_000;

/** `timeoutMs`: the time limit of a call whose work grows with the data. Default: `DATABASE_TIMEOUT_MS`. */
export interface CallOptions {
  readonly timeoutMs?: number;
}

/**
 * The documents of one kind. Each call is atomic per document; on SQLite it is one transaction. A query that no index serves
 * throws. Every call throws `DatabaseTimeout` after its time limit: a write may still be executed then.
 */
export interface Documents<T extends Identified> {
  get(id: T['id'], options?: CallOptions): Promise<T | null>;
  find(query?: Query<T>, options?: CallOptions): Promise<T[]>;
  count(where?: Where<T>, options?: CallOptions): Promise<number>;
  /**
   * Inserts documents in their order. Returns the id of the first whose id or unique value is taken, null when all are inserted.
   * Where one is taken SQLite inserts none of them, and MongoDB those before it.
   */
  insert(documents: readonly T[]): Promise<T['id'] | null>;
  /** Inserts the documents whose ids and unique values are free, and returns them. */
  insertMissing(documents: readonly T[]): Promise<readonly T[]>;
  /** Inserts documents, or replaces those with their ids where these match `over`. False where one does not match. */
  put(documents: readonly T[], over?: Where<T>): Promise<boolean>;
  /** Changes all documents that match, and returns their number. */
  update(where: Where<T>, change: Change<T>, options?: CallOptions): Promise<number>;
  /** Several updates, each of one document. Returns the number of documents that matched. */
  updateEach(updates: readonly Update<T>[]): Promise<number>;
  /** Returns the number of deleted documents. */
  delete(where: Where<T>, options?: CallOptions): Promise<number>;
}

/** `isQuick`: what is written last may be lost in a power cut, so that a write does not wait for the disk. */
export type OpenDocuments = <T extends Identified>(
  declaration: Declaration<T>,
  options?: { readonly isQuick?: boolean },
) => Documents<T>;
