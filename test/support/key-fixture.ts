import type { Database } from '../../src/core/database/database.ts';
import { KeyCheck, type KeyCheckResult } from '../../src/core/keys/key-check.ts';
import { type IssueRequest, KeyService } from '../../src/core/keys/key-service.ts';
import { openDatabase } from '../../src/infra/database.ts';
import { keyDigest, secureRandom } from '../../src/infra/key-crypto.ts';
import { createFakeClock, type FakeClock } from './clock.ts';
import { type CountingHasher, createCountingHasher } from './counting-hasher.ts';
import { noMetrics } from './no-metrics.ts';
import { START } from './rows.ts';
import { silentLogger } from './silent-logger.ts';

/** Key service and key check over an SQLite database in memory, with a clock that stands still. */
export interface KeyFixture {
  readonly database: Database;
  readonly clock: FakeClock;
  readonly hasher: CountingHasher;
  readonly service: KeyService;
  readonly keyCheck: KeyCheck;
  /** A key with its secret; a test has no use for a refusal. */
  issue(request?: Partial<IssueRequest>): Promise<{ id: string; secret: string }>;
  check(secret: string | undefined, address?: string): Promise<KeyCheckResult>;
}

export async function openKeyFixture(): Promise<KeyFixture> {
  const database = await openDatabase('sqlite::memory:');
  const clock = createFakeClock(START);
  const hasher = createCountingHasher();
  const parts = { keys: database.keys, hasher, clock };
  const service = new KeyService({ ...parts, random: secureRandom });
  const keyCheck = new KeyCheck({ ...parts, digest: keyDigest, metrics: noMetrics, logger: silentLogger });
  return {
    database,
    clock,
    hasher,
    service,
    keyCheck,
    async issue(request = {}) {
      const issued = await service.issue({ tier: 'pro', name: 'test', ...request });
      if (!issued.ok) throw new Error(issued.reason);
      return { id: issued.key.id, secret: issued.secret };
    },
    check: async (secret, address = '192.0.2.1') => keyCheck.check(secret, address),
  };
}

/** A well-formed key; with `lookupOf` it shares the lookup part of that one. */
export function forgedKey(like?: string): string {
  const random = secureRandom.base64url(32);
  return like === undefined ? `sk_live_${random}` : `${like.slice(0, 18)}${random.slice(10)}`;
}
