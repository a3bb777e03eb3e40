import type { KeyStore } from '../../src/core/accounts/keys/api-key.ts';
import { KeyCheck, type KeyCheckResult } from '../../src/core/accounts/keys/key-check.ts';
import { type IssueRequest, KeyService } from '../../src/core/accounts/keys/key-service.ts';
import type { Logger } from '../../src/core/base/logger.ts';
import type { Database } from '../../src/core/database.ts';
import { openDatabase } from '../../src/infra/database/database.ts';
import { keyDigest, secureRandom } from '../../src/infra/secrets/key-crypto.ts';
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
  /** A check with the same clock and hasher over other rows. */
  checkOver(keys: Pick<KeyStore, 'byLookup'>, logger?: Pick<Logger, 'warn'>): KeyCheck;
  /** A key with its secret; a test has no use for a refusal. */
  issue(request?: Partial<IssueRequest>): Promise<{ id: string; secret: string }>;
  check(secret: string | undefined, address?: string): Promise<KeyCheckResult>;
}

export async function openKeyFixture(): Promise<KeyFixture> {
  const database = await openDatabase('sqlite::memory:');
  const clock = createFakeClock(START);
  const hasher = createCountingHasher();
  const service = new KeyService({ keys: database.keys, hasher, clock, random: secureRandom });
  const checkOver: KeyFixture['checkOver'] = (keys, logger = silentLogger) =>
    new KeyCheck({ keys, hasher, clock, digest: keyDigest, metrics: noMetrics, logger });
  const keyCheck = checkOver(database.keys);
  return {
    database,
    clock,
    hasher,
    service,
    keyCheck,
    checkOver,
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
