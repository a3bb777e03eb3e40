import type { Documents, Identified, Where } from './documents.ts';

/** A document of which an owner has a limited number: an index makes owner and slot unique among those with a slot. */
export interface Slotted extends Identified {
  /** A number below the cap. Absent in a document that does not count any more. */
  readonly slot?: number | undefined;
}

interface Cap<T> {
  /** The documents of the owner that count. */
  readonly where: Where<T>;
  readonly most: number;
}

/** Inserts a document unless its owner has `most` of them, also concurrently. `taken`: its id or a unique value is. */
export async function insertInSlot<T extends Slotted>(
  documents: Documents<T>,
  document: T,
  { where, most }: Cap<T>,
): Promise<'inserted' | 'too_many' | 'taken'> {
  for (let wanted: number | null = null; ; ) {
    const held = await documents.find({ where });
    if (held.length >= most) return 'too_many';
    const slots = new Set(held.map(({ slot }) => slot));
    // The slot that this call wanted is free: its insert failed for another reason.
    if (wanted !== null && !slots.has(wanted)) return 'taken';
    // The lowest is the same for all calls that see the same documents, so that one of them succeeds.
    const free = Array.from({ length: most }, (_, slot) => slot).find((slot) => !slots.has(slot)) ?? 0;
    if ((await documents.insert([{ ...document, slot: free }])) === null) return 'inserted';
    wanted = free;
  }
}
