import type { mongo } from 'mongoose';
import { isDuplicateKey } from './duplicate-key.ts';
import { SLOT, type StoredDocument } from './mongo-fields.ts';
import type { ReadLimit } from './native-collection.ts';

interface WithinCap<Refusal> {
  /** The documents that count. Those without a slot count, too. */
  readonly held: mongo.Filter<StoredDocument>;
  readonly cap: number;
  readonly limit: ReadLimit;
  /** Why the document must not be inserted; null when it may be. Asked before each attempt. */
  readonly refusal?: () => Promise<Refusal | null>;
}

/**
 * Gives the document one of `cap` slots, which a unique index protects, so that several processes keep to the cap without a
 * transaction. Throws when its `_id` is taken.
 */
export async function insertWithin<Refusal = never>(
  documents: mongo.Collection<StoredDocument>,
  document: StoredDocument,
  { held, cap, limit, refusal }: WithinCap<Refusal>,
): Promise<'inserted' | 'too_many' | Refusal> {
  const { _id } = document;
  for (;;) {
    const holders = await documents.find(held, { ...limit, projection: { [SLOT]: 1 } }).toArray();
    if (holders.length >= cap) return 'too_many';
    const refused = (await refusal?.()) ?? null;
    if (refused !== null) return refused;
    const taken = new Set(holders.map((holder) => holder[SLOT]));
    const slots = Array.from({ length: cap }, (_, slot) => slot).filter((slot) => !taken.has(slot));
    // Of calls that see the same documents no more succeed than are missing, also where some have no slot.
    const free = slots.slice(0, cap - holders.length);
    try {
      await documents.insertOne({ ...document, [SLOT]: free[spread(String(_id)) % free.length] });
      return 'inserted';
    } catch (error) {
      // Where the key is free, another call has taken the slot or another value, and so made progress: the loop ends.
      if (!isDuplicateKey(error) || (await documents.findOne({ _id }, limit)) !== null) throw error;
    }
  }
}

/** Concurrent inserts begin at different slots, so that few have to try again. */
function spread(id: string): number {
  return [...id].reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 65_521, 0);
}
