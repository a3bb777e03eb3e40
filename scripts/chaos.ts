import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startReplicaSet } from '../test/support/mongod/replica-set.ts';
import { FAULTS } from './chaos/faults.ts';
import { openStage } from './chaos/stage.ts';
import { undisturbedAlerts } from './chaos/tape.ts';
import { readOptions } from './command-line.ts';

const TRADES = 4_000;
/** MongoDB's own default. */
const ELECTION_MS = 10_000;

const HELP = `Lets faults strike the service and its database, and compares what came of it with an undisturbed run.

Two processes that can be the worker and one of the API run on a replica set of three mongods, on a tape that grows by
four trades a second. After each fault: no alert is lost, doubled or unlike the undisturbed run, ids are dense,
created_at never decreases, a client of the stream that reconnects was sent each alert once, and every answer was in
time and 200 or 503.

Usage: npm run chaos -- [--only TEXT]

  --only TEXT    only the faults whose name contains this

Faults:
${FAULTS.map(({ name }) => `  ${name}`).join('\n')}`;

const { only = '' } = readOptions(HELP, { only: undefined });
const wanted = FAULTS.filter(({ name }) => name.includes(only));
if (wanted.length === 0) throw new Error(`--only: no fault has "${only}" in its name`);

await using folder = await mkdtempDisposable(join(tmpdir(), 'tipoff-chaos-'));
const expected = await undisturbedAlerts(folder.path, TRADES);
console.log(`undisturbed: ${expected.length} alerts of ${TRADES} trades`);
const set = await startReplicaSet({ electionTimeoutMs: ELECTION_MS });
try {
  const stage = await openStage(folder.path, set, expected);
  try {
    console.log(`before the first fault: ${await stage.settle(false)}`);
    for (const { name, strike, mayCut = false } of wanted) {
      console.log(`${new Date().toISOString()} ${name}`);
      try {
        await strike(stage);
        console.log(`  held: ${await stage.settle(mayCut)}`);
      } catch (error) {
        console.log(`  failed: ${error instanceof Error ? error.message : error}`);
        process.exitCode = 1;
      }
    }
  } finally {
    await stage.close();
  }
} finally {
  await set.stop();
}
