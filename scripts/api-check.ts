import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TIERS, type Tier } from '../src/core/accounts/tier.ts';
import { startServiceOverArchive } from '../test/support/service-over-archive.ts';
import { addCounts, type Counts, describeCounts, NO_COUNTS, total } from './api-check/counts.ts';
import { prepareSchemathesis, runSchemathesis } from './api-check/schemathesis.ts';
import { readOptions } from './command-line.ts';

const HELP = `Runs schemathesis (PyPI) with all its checks against a service over a small archive, with a key of each tier: valid and
invalid data, and sequences of calls. Needs python3 and PyPI.

Usage: npm run api-check
       npm run api-check -- --cases 2000 --tier pro
       npm run api-check -- --seed 42          the same requests again

Requests per minute are not limited in this service, and each request names an address of its own: a 429 would hide the answer.
Values that follow rules between them (until after since) are ordered by scripts/api-check/hooks.py.`;

const options = readOptions(HELP, {
  cases: '10000',
  tier: undefined,
  seed: String(Date.now() % 1_000_000),
  examples: '100',
});
const cases = Number(options.cases);
const tiers = options.tier === undefined ? TIERS : TIERS.filter((tier) => tier === options.tier);
const environment = await prepareSchemathesis().catch((error: Error) => {
  console.error(`schemathesis could not be installed: ${error.message}`);
  process.exit(2);
});
await using temporary = await mkdtempDisposable(join(tmpdir(), 'tipoff-api-check-'));
const folder = temporary.path;

let failures = 0;
for (const tier of tiers) {
  const counts = await checkTier(tier);
  console.log(`${tier}: ${describeCounts(counts)}`);
  failures += total(counts.failures);
}
console.log(
  'Set aside: 429. The service has no limit of requests per minute, and each request names an address of its own; 429 of webhook tests is accepted.',
);
process.exitCode = failures === 0 && tiers.length > 0 ? 0 : 1;

/** Runs with one seed after the other until there are enough cases. */
async function checkTier(tier: Tier): Promise<Counts> {
  const service = await startServiceOverArchive(`sqlite:${join(folder, `${tier}.db`)}`, {
    settings: { TRUST_PROXY: '1' },
    preloads: ['no-limits.ts'],
  });
  const document = join(folder, 'openapi.json');
  let counts = NO_COUNTS;
  try {
    await writeFile(document, JSON.stringify(service.document));
    for (let seed = Number(options.seed); counts.cases < cases; seed += 1) {
      const run = { address: service.address, document, key: service.keys[tier], seed, folder };
      const done = await runSchemathesis(environment, { ...run, maxExamples: Number(options.examples) });
      counts = addCounts(counts, done.counts);
      process.stderr.write(`${tier}, seed ${seed}: ${counts.cases} of ${cases} cases\n`);
      if (total(done.counts.failures) > 0) process.stderr.write(`${done.output}\n`);
    }
    const leaks = service.leaks();
    for (const line of leaks.slice(0, 5)) process.stderr.write(`leaked: ${line.slice(0, 500)}\n`);
    return leaks.length === 0
      ? counts
      : addCounts(counts, { ...NO_COUNTS, failures: { leaks: leaks.length } });
  } finally {
    await service.stop();
  }
}
