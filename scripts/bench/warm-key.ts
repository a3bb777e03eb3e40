import { type ApiKey, PLAIN_KEY } from '../../src/core/accounts/keys/api-key.ts';
import { KeyCheck } from '../../src/core/accounts/keys/key-check.ts';
import { KEY_BYTES, KEY_PREFIX, lookupOf } from '../../src/core/accounts/keys/key-text.ts';
import { systemClock } from '../../src/infra/process/system-clock.ts';
import { keyDigest, secureRandom } from '../../src/infra/secrets/key-crypto.ts';
import { noMetrics } from '../../test/support/no-metrics.ts';
import { silentLogger } from '../../test/support/silent-logger.ts';
import type { Effort } from './compare.ts';
import { comparisonFigures } from './comparison-figures.ts';
import { openSqliteFile } from './databases.ts';
import { type Figure, figure, median, whole } from './figure.ts';
import { startRivals } from './rivals.ts';

/** The smallest protected answer that needs no database. */
const PATH = '/api/v1/alerts/latest?limit=1';
const EFFORT: Effort = { connections: 20, warmUpSeconds: 2, rounds: 5, roundSeconds: 1.5 };
const RUNS = 15;
const CHECKS = 100_000;
const ADDRESS = '203.0.113.7';

/** A key that was verified before: the check alone, and the smallest answer behind it. */
export async function benchWarmKey(): Promise<readonly Figure[]> {
  const alone = await checkAlone();
  await using database = await openSqliteFile();
  await database.seed({ after: 0, upto: 1 });
  await using rivals = await startRivals(database);
  return [alone, ...comparisonFigures(await rivals.compare(PATH, EFFORT)), ...rivals.peerNote];
}

async function checkAlone(): Promise<Figure> {
  const secret = KEY_PREFIX + secureRandom.base64url(KEY_BYTES);
  const checks: number[] = [];
  const digests: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    // A row stays fresh for longer than a run takes.
    const keyCheck = await warmKeyCheck(secret);
    checks.push(
      nanosecondsEach(() => {
        if (keyCheck.recall(secret) === null) throw new Error('the key is not warm');
      }),
    );
    digests.push(nanosecondsEach(() => keyDigest(secret)));
  }
  return figure(
    `the check alone (median of ${RUNS} runs of ${whole(CHECKS)})`,
    `${whole(median(checks))} ns, of which SHA-256 of the key ${whole(median(digests))} ns`,
  );
}

async function warmKeyCheck(secret: string): Promise<KeyCheck> {
  const keyCheck = new KeyCheck({
    keys: { byLookup: async () => rowOf(secret) },
    hasher: { verify: async () => true },
    digest: keyDigest,
    clock: systemClock,
    metrics: noMetrics,
    logger: silentLogger,
  });
  await keyCheck.check(secret, ADDRESS);
  return keyCheck;
}

function nanosecondsEach(work: () => void): number {
  const startedAt = performance.now();
  for (let done = 0; done < CHECKS; done++) work();
  return ((performance.now() - startedAt) * 1e6) / CHECKS;
}

function rowOf(secret: string): ApiKey {
  return {
    id: 'key_benchmark',
    lookup: lookupOf(secret) ?? '',
    hash: 'proven',
    name: 'Benchmark',
    tier: 'enterprise',
    createdAt: 0,
    trialEndsAt: null,
    revokedAt: null,
    ...PLAIN_KEY,
  };
}
