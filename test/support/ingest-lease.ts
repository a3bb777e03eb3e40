import type { Lease } from '../../src/core/base/lease/lease.ts';
import type { Database } from '../../src/core/database.ts';

/** Takes the lease of the ingest, whoever has it. */
export async function takeIngestLease(
  { ingest }: Pick<Database, 'ingest'>,
  owner = 'a',
  now = 0,
): Promise<Lease> {
  const lease = await ingest.acquire({ owner, now, ttlMs: 1_000, isGone: () => true });
  if (lease === null) throw new Error(`${owner} did not get the lease`);
  return lease;
}
