import { type Model, mongo } from 'mongoose';
import { isDuplicateKey } from './duplicate-key.ts';

/** Inserts what is not there, and gives the positions of what was. */
export async function insertNew<Document extends { readonly _id: string }>(
  model: Model<Document>,
  documents: readonly Document[],
): Promise<ReadonlySet<number>> {
  try {
    // The driver's own: mongoose would make a document object of each.
    const collection = model.collection as unknown as mongo.Collection<{ _id: string }>;
    await collection.insertMany(documents, { ordered: false });
    return new Set();
  } catch (error) {
    if (!(error instanceof mongo.MongoBulkWriteError) || !isDuplicateKey(error)) throw error;
    const refused = [error.writeErrors].flat();
    if (refused.some(({ code }) => code !== error.code)) throw error;
    return new Set(refused.map(({ index }) => index));
  }
}
