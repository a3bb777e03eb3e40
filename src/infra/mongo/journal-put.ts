import type { OpenCollection } from '../stores/collection.ts';
import { JOURNAL, type PutInJournal } from '../stores/journal-store.ts';
import { heldBy } from './ingest-model.ts';
import type { Models } from './models.ts';

/**
 * A stand-alone server has no transactions. A process that loses the lease between its check and its insert may still write
 * the next batch. The new holder's first append is refused by the key then: it starts again, and finds the batch. So the
 * journal is one sequence whichever process wrote it, and what is judged was read from it or written to it.
 */
export function createMongoJournalPut(
  open: OpenCollection,
  { leases }: Pick<Models, 'leases'>,
): PutInJournal {
  const journal = open(JOURNAL);
  return async (lease, row) => {
    if ((await leases.exists(heldBy(lease))) === null) return false;
    const [last] = await journal.pick(['next'], { sort: ['-first'], limit: 1 });
    return (last?.next ?? 1) === row.first && (await journal.insertNew([row])).length === 1;
  };
}
