import { mkdir, mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startReplicaSet } from '../test/support/mongod/replica-set.ts';
import { type OnReplicaSet, REPLICA_SET_FAULTS } from './chaos/mongo-faults.ts';
import { describe, type Fault, type FaultResult, runFault } from './chaos/run-fault.ts';
import { type OnSqlite, SQLITE_FAULTS } from './chaos/sqlite-faults.ts';
import { Stage } from './chaos/stage.ts';
import { readOptions } from './command-line.ts';
import { undisturbedAlerts } from './support/chaos-tape.ts';

const TRADES = 4_000;
/** MongoDB's own default. */
const ELECTION_MS = 10_000;
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

await strikeReplicaSet();
await strikeSqlite();
process.exitCode = results.every(({ problems, late }) => problems.length + late.length === 0) ? 0 : 1;

async function strikeReplicaSet(): Promise<void> {
  const wanted = REPLICA_SET_FAULTS.filter(({ name }) => isWanted(name));
  if (wanted.length === 0) return;
  const set = await startReplicaSet({ electionTimeoutMs: ELECTION_MS });
  try {
    const own = join(folder.path, 'replica-set');
    await mkdir(own);
    const stage = await Stage.open({
      ...{ folder: own, url: set.uri, expected, probed: ['api1'] },
      members: {
        ingest: { ROLES: 'ingest' },
        standby: { ROLES: 'ingest' },
        api1: { ROLES: 'api' },
        api2: { ROLES: 'api' },
        deliver: { ROLES: 'deliver' },
        jobs: { ROLES: 'jobs' },
      },
    });
    try {
      for (const fault of wanted) await strike<OnReplicaSet>(fault, { stage, set });
    } finally {
      await stage.close();
    }
  } finally {
    await set.stop();
  }
}

async function strikeSqlite(): Promise<void> {
  for (const fault of SQLITE_FAULTS.filter(({ name }) => isWanted(name))) {
    await strikeFile(fault, join(folder.path, fault.name.replace(/\W+/g, '-')));
  }
}

async function strikeFile(fault: Fault<OnSqlite>, own: string): Promise<void> {
  await mkdir(join(own, 'data'), { recursive: true });
  const file = join(own, 'data', 'tipoff.db');
  const stage = await Stage.open({
    ...{ folder: own, url: `sqlite:${file}`, expected, probed: ['service'] },
    members: { service: {} },
  });
  try {
    await strike(fault, { stage, file });
  } finally {
    await stage.close();
  }
}

async function strike<On extends { readonly stage: Stage }>(fault: Fault<On>, on: On): Promise<void> {
  console.log(`${new Date().toISOString()} ${fault.name}`);
  const result = await runFault(fault, on);
  results.push(result);
  console.log(describe(result));
}
