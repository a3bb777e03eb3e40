import { mongo } from 'mongoose';

const DUPLICATE_KEY = 11_000;

/** Whether a write failed because a unique value is taken; that of `field` when it is given. */
export function isDuplicateKey(error: unknown, field?: string): boolean {
  if (!(error instanceof mongo.MongoServerError) || error.code !== DUPLICATE_KEY) return false;
  return field === undefined || Object.keys(Object(error['keyPattern'])).join() === field;
}
