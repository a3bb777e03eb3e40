import type { Keys } from '../../src/core/accounts/keys/api-key.ts';
import { KeyCheck } from '../../src/core/accounts/keys/key-check.ts';
import { type IssueRequest, KeyService } from '../../src/core/accounts/keys/key-service.ts';
import type { Hasher } from '../../src/core/accounts/keys/key-text.ts';
import { networkLimiter } from '../../src/core/accounts/limits/rate-limiter.ts';
import type { Logger } from '../../src/core/base/logger.ts';
import { openDatabase } from '../../src/infra/database/database.ts';
import { MemoryRateLimiter } from '../../src/infra/database/memory-rate-limiter.ts';
import { secureRandom, sha256 } from '../../src/infra/secrets/key-crypto.ts';
import { createFakeClock } from './clock.ts';
import { createCountingHasher } from './counting-hasher.ts';
import { START } from './rows.ts';
import { silentLogger } from './silent-logger.ts';

/** Key service and key check over an SQLite database in memory, with a clock that stands still. */
export type KeyFixture = Awaited<ReturnType<typeof openKeyFixture>>;

/** `hashing` replaces the counting hasher. */
export async function openKeyFixture(hashing: Hasher | null = null) {
  const database = await openDatabase('sqlite::memory:');
  const clock = createFakeClock(START);
  const hasher = createCountingHasher();
  const used = { hasher: hashing ?? hasher, clock };
  const service = new KeyService({ keys: database.keys, random: secureRandom, ...used });
  /** A check with the same clock and hasher over other rows. */
  const checkOver = (keys: Pick<Keys, 'byLookup'>, logger: Pick<Logger, 'warn'> = silentLogger) =>
    new KeyCheck({
      ...used,
      keys,
      digest: sha256,
      failures: networkLimiter(new MemoryRateLimiter({ capacity: 1_000, clock })),
      logger,
    });
  const keyCheck = checkOver(database.keys);
  return {
    database,
    clock,
    hasher,
    service,
    keyCheck,
    checkOver,
    async issue(request: Partial<IssueRequest> = {}) {
      const issued = await service.issue({ tier: 'pro', name: 'test', ...request });
      if (!issued.ok) throw new Error(issued.reason);
      return { id: issued.key.id, secret: issued.secret };
    },
    check: async (secret: string | undefined, address = '192.0.2.1') => keyCheck.check(secret, address),
  };
}

/** A well-formed key; with `lookupOf` it shares the lookup part of that one. */
export function forgedKey(like?: string): string {
  const random = secureRandom.base64url(32);
  return like === undefined ? `sk_live_${random}` : `${like.slice(0, 18)}${random.slice(10)}`;
}
