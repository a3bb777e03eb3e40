import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { createFuzzRun } from '../test/support/fuzz/fuzz-run.ts';
import { requestsFor } from '../test/support/fuzz/generated-requests.ts';
import { startServiceOverArchive } from '../test/support/service-over-archive.ts';
import { readOptions } from './command-line.ts';
import { attackPages } from './fuzz/page-attack.ts';

const USAGE = `Asks a service of its own generated requests, made from its OpenAPI document, and checks every answer.

  npm run fuzz                         100,000 requests
  npm run fuzz -- --requests 5000
  npm run fuzz -- --seed 42            the same requests again
  npm run fuzz -- --database URL       on this database instead of a new SQLite file
  npm run fuzz -- --attack pages       instead: 16 addresses read as many pages as they may, beside another client
  npm run fuzz -- --attack pages --entry FILE    the same against another build's src/main.ts`;
/** What clients without a key do to others; each prints its figures, and whether all was in time. */
const ATTACKS: Readonly<Record<string, (entry: string | undefined) => Promise<boolean>>> = {
  pages: attackPages,
};
/** Properties side by side, each one request at a time. */
const LANES = 8;

const options = readOptions(USAGE, {
  requests: '100000',
  seed: String(Date.now() % 1_000_000),
  database: undefined,
  attack: undefined,
  entry: undefined,
});
if (options.attack !== undefined) {
  const attack = ATTACKS[options.attack];
  if (attack === undefined) throw new Error(`--attack: ${Object.keys(ATTACKS).join(', ')}`);
  process.exit((await attack(options.entry)) ? 0 : 1);
}
const requests = wholeNumber('--requests', options.requests, { min: 1 });
const seed = wholeNumber('--seed', options.seed, { min: 0 });
await using folder = await mkdtempDisposable(join(tmpdir(), 'tipoff-fuzz-'));
const service = await startServiceOverArchive(options.database ?? `sqlite:${join(folder.path, 'fuzz.db')}`);
const run = createFuzzRun({ ...service, connections: LANES });
const asked = () => [...run.statuses.values()].reduce((sum, count) => sum + count, 0);
const ticking = setInterval(() => process.stderr.write(`${asked()} of ${requests}\n`), 5_000);
process.stderr.write(`seed ${seed}\n`);

try {
  const lanes = Array.from({ length: LANES }, (_, lane) =>
    fc.assert(fc.asyncProperty(requestsFor(service.document), run.send), {
      numRuns: Math.ceil(requests / LANES),
      seed: seed + lane,
      endOnFailure: true,
    }),
  );
  await Promise.all(lanes);
  const leaks = service.leaks();
  const statuses = [...run.statuses]
    .toSorted(([a], [b]) => a - b)
    .map(([status, count]) => `${status}: ${count}`);
  process.stdout.write(`${asked()} requests, none broke a promise\n${statuses.join('\n')}\n`);
  process.stdout.write(
    `${leaks.length} lines of the log show anything of the inside\n${leaks.slice(0, 5).join('\n')}\n`,
  );
  process.exitCode = leaks.length === 0 ? 0 : 1;
} catch (error) {
  process.stderr.write(`${inspect(error)}\n`);
  process.exitCode = 1;
} finally {
  clearInterval(ticking);
  run.close();
  await service.stop();
}

function wholeNumber(flag: string, text: string, { min }: { min: number }): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && Number.isSafeInteger(value)) return value;
  process.stderr.write(`${flag}: expected a whole number from ${min}, got "${text}"\n`);
  process.exit(2);
}
