import type { Lease } from '../../src/core/base/lease/lease.ts';
import type { Database } from '../../src/core/database.ts';

/** Takes the lease, whoever has it. */
export async function takeLease(
  { lease: store }: Pick<Database, 'lease'>,
  owner = 'a',
  now = 0,
): Promise<Lease> {
  const lease = await store.acquire({ owner, now, ttlMs: 1_000, isGone: () => true });
  if (lease === null) throw new Error(`${owner} did not get the lease`);
  return lease;
}
