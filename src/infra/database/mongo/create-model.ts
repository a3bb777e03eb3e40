import { type Connection, type IndexDefinition, type IndexOptions, type Model, Schema } from 'mongoose';

/** The fields of an index, and its options. */
export type ModelIndex = readonly [IndexDefinition, IndexOptions?];

/**
 * The model of a collection that MongoDB alone has. Documents are stored and read as they are: their types say what they
 * have, and no field is declared again. Indexes and collections are made by `migrate`.
 */
export function createModel<Document>(
  connection: Connection,
  collection: string,
  indexes: readonly ModelIndex[] = [],
): Model<Document> {
  const plain = { strict: false, minimize: false, versionKey: false, id: false } as const;
  const options = { ...plain, autoIndex: false, autoCreate: false, collection };
  const schema = new Schema({ _id: Schema.Types.Mixed }, options);
  for (const index of indexes) schema.index(...index);
  return connection.model(collection, schema) as unknown as Model<Document>;
}
