import { mongo } from 'mongoose';
import { isDuplicateKey } from './duplicate-key.ts';

/** Inserts the documents that are missing, and gives the positions of those that exist. */
export async function insertNew<Document extends { readonly _id: string | number }>(
  collection: object,
  documents: readonly Document[],
): Promise<ReadonlySet<number>> {
  try {
    await (collection as mongo.Collection<Document>).insertMany(
      documents as readonly mongo.OptionalUnlessRequiredId<Document>[],
      { ordered: false },
    );
    return new Set();
  } catch (error) {
    if (!(error instanceof mongo.MongoBulkWriteError) || !isDuplicateKey(error)) throw error;
    const refused = [error.writeErrors].flat();
    if (refused.some(({ code }) => code !== error.code)) throw error;
    return new Set(refused.map(({ index }) => index));
  }
}
