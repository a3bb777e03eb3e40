import type { Model } from 'mongoose';
import { isDuplicateKey } from './duplicate-key.ts';

/** A document of which a key has a bounded number. */
export interface Capped {
  readonly _id: string;
  readonly keyId: string;
  /** Its place among those of its key, from 0; unique. */
  readonly slot: number;
}

/** Goes with every collection of such documents. */
export const SLOT_INDEX = [{ keyId: 1, slot: 1 }, { unique: true }] as const;

interface CappedInsert extends Omit<Capped, 'slot'> {
  readonly cap: number;
  insert(slot: number): Promise<unknown>;
}

/**
 * Inserts unless the key has `cap` documents. Each takes one of `cap` places, unique within its key, so that several
 * processes at once cannot go above it and no transaction is needed.
 */
export async function insertWithinCap<Document extends Capped>(
  model: Model<Document>,
  { _id, keyId, cap, insert }: CappedInsert,
): Promise<boolean> {
  for (;;) {
    const slots = await model.find({ keyId }).select('slot').lean<Pick<Capped, 'slot'>[]>();
    const taken = new Set(slots.map(({ slot }) => slot));
    const free = Array.from({ length: cap }, (_, slot) => slot).filter((slot) => !taken.has(slot));
    const slot = free[spread(_id) % free.length];
    if (slot === undefined) return false;
    try {
      await insert(slot);
      return true;
    } catch (error) {
      // Only a place can have been taken meanwhile, and then somebody got on: the loop ends.
      if (!isDuplicateKey(error) || (await model.exists({ _id })) !== null) throw error;
    }
  }
}

/** Those who insert at once begin at different places, so that few have to try again. */
function spread(id: string): number {
  return [...id].reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 65_521, 0);
}
