import type { Model } from 'mongoose';
import { isDuplicateKey } from './duplicate-key.ts';

/** Inserts a document under the next number, 1, 2, 3 … without a gap, and returns the number. */
export async function appendNumbered<Document extends { readonly _id: number }>(
  model: Model<Document>,
  fields: Omit<Document, '_id'>,
): Promise<number> {
  for (;;) {
    const _id = (await lastNumber(model as unknown as Model<{ readonly _id: number }>)) + 1;
    try {
      await model.insertOne({ _id, ...fields } as Parameters<typeof model.insertOne>[0]);
      return _id;
    } catch (error) {
      // Another process has inserted this number first, and so one of the two got on: the loop ends.
      if (!isDuplicateKey(error)) throw error;
    }
  }
}

async function lastNumber(model: Model<{ readonly _id: number }>): Promise<number> {
  const [newest] = await model.find({}, { _id: 1 }).sort({ _id: -1 }).limit(1).lean();
  return newest?._id ?? 0;
}
