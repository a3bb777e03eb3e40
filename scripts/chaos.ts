import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startReplicaSet } from '../test/support/mongod/replica-set.ts';
import { FAULTS } from './chaos/faults.ts';
import { describe, runFault } from './chaos/run-fault.ts';
import { Stage } from './chaos/stage.ts';
import { readOptions } from './command-line.ts';
import { undisturbedAlerts } from './support/chaos-tape.ts';

const TRADES = 4_000;
/** MongoDB's own default. */
const ELECTION_MS = 10_000;

const HELP = `Lets faults strike the service and its database, and compares what clients got with an undisturbed run.

The service runs in its roles on a replica set of three mongods, on a tape that grows by four trades a second. Clients
of the stream reconnect where they were, a webhook is sent each alert, and probes ask the API all the time. After each
fault: no alert is lost, doubled or unlike the undisturbed run, ids are dense, created_at never decreases, each client
was sent each alert once, and every answer was in time (5 s; /readyz 2 s) and 200 or 503.

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
  const stage = await Stage.open({ folder: folder.path, url: set.uri, expected });
  try {
    for (const fault of wanted) {
      console.log(`${new Date().toISOString()} ${fault.name}`);
      const result = await runFault(fault, { stage, set });
      console.log(describe(result));
      if (result.problems.length + result.late.length > 0) process.exitCode = 1;
    }
  } finally {
    await stage.close();
  }
} finally {
  await set.stop();
}
