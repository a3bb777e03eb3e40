import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { REPLICA_SET_FAULTS } from './chaos/mongo-faults.ts';
import { describe, type FaultResult } from './chaos/run-fault.ts';
import { type SceneOptions, strikeReplicaSet, strikeSqlite } from './chaos/scenes.ts';
import { SQLITE_FAULTS } from './chaos/sqlite-faults.ts';
import { readOptions } from './command-line.ts';
import { undisturbedAlerts } from './support/chaos-tape.ts';

const TRADES = 4_000;
const FAULTS = [...REPLICA_SET_FAULTS, ...SQLITE_FAULTS];

const HELP = `Lets faults strike the service and its database, and compares what clients got with an undisturbed run.

The service runs in its roles on a replica set of three mongods, and on SQLite, on a tape that grows by four trades a
second. Clients of the stream reconnect where they were, a webhook is sent each alert, and probes ask the API all the
time. After each fault: no alert is lost, doubled or unlike the undisturbed run, ids are dense, created_at never
decreases, each client was sent each alert once, and every answer was in time (5 s; /readyz 2 s) and 200 or 503.

Usage: npm run chaos -- [--only TEXT]

  --only TEXT    only the faults whose name contains this

Faults:
${FAULTS.map(({ name }) => `  ${name}`).join('\n')}`;

const options = readOptions(HELP, { only: undefined });
const isWanted = (name: string) => name.includes(options.only ?? '');
if (!FAULTS.some(({ name }) => isWanted(name)))
  throw new Error(`--only: no fault has "${options.only}" in its name`);

const results: FaultResult[] = [];
await using folder = await mkdtempDisposable(join(tmpdir(), 'tipoff-chaos-'));
const expected = await undisturbedAlerts(folder.path, TRADES);
console.log(`undisturbed: ${expected.length} alerts of ${TRADES} trades`);

const scene: SceneOptions = {
  ...{ folder: folder.path, expected, isWanted },
  onStart: (name) => console.log(`${new Date().toISOString()} ${name}`),
  async onEnd(result) {
    results.push(result);
    console.log(describe(result));
  },
};
await strikeReplicaSet(scene);
await strikeSqlite(scene);
process.exitCode = results.every(({ problems, late }) => problems.length + late.length === 0) ? 0 : 1;
