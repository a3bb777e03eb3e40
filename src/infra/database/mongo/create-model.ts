import {
  type Connection,
  type IndexDefinition,
  type IndexOptions,
  type Model,
  Schema,
  type SchemaDefinitionProperty,
} from 'mongoose';

/** The fields of an index, and its options. */
export type ModelIndex = readonly [IndexDefinition, IndexOptions?];

/** The type of each field of a document, checked by the compiler to name all of them. */
export type ModelFields<Document> = {
  readonly [Field in keyof Required<Document>]: SchemaDefinitionProperty;
};

export const TEXT = { type: String, required: true } as const;
export const NUMBER = { type: Number, required: true } as const;
export const BOOLEAN = { type: Boolean, required: true } as const;
/** Read and written as a whole. */
export const VALUE = { type: Schema.Types.Mixed, required: true } as const;

// A text may be empty.
Schema.Types.String.checkRequired((value) => typeof value === 'string');

/**
 * The model of a collection that MongoDB alone has. A write with another field or a value of another type is refused.
 * Indexes and collections are made by `ensureIndexes`.
 */
export function createModel<Document>(
  connection: Connection,
  collection: string,
  fields: ModelFields<Document>,
  indexes: readonly ModelIndex[] = [],
): Model<Document> {
  const plain = { strict: 'throw', minimize: false, versionKey: false, id: false } as const;
  const options = { ...plain, autoIndex: false, autoCreate: false, collection };
  const schema = new Schema({ ...fields } as Record<string, SchemaDefinitionProperty>, options);
  for (const index of indexes) schema.index(...index);
  return connection.model(collection, schema) as unknown as Model<Document>;
}
