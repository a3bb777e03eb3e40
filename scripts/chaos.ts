import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ATTACKS, strikeAttacks } from './chaos/attacks/strike-attacks.ts';
import { undisturbedAlerts } from './chaos/chaos-tape.ts';
import { REPLICA_SET_FAULTS } from './chaos/mongo-faults.ts';
import { tableOf } from './chaos/report.ts';
import type { FaultResult } from './chaos/run-fault.ts';
import { type SceneOptions, strikeReplicaSet, strikeSqlite } from './chaos/scenes.ts';
import { SQLITE_FAULTS } from './chaos/sqlite-faults.ts';
import { readOptions } from './command-line.ts';

/** More than the tape has in the longest run, at four a second. */
const TRADES = 4_000;
const FAULTS = [...REPLICA_SET_FAULTS, ...SQLITE_FAULTS];
const NAMES = [...FAULTS, ...ATTACKS].map(({ name }) => name);

const HELP = `Lets faults strike the service and its database, and compares what clients got with an undisturbed run.

The service runs in its roles on a replica set of three mongods, and on SQLite, on a tape that grows by four trades a
second. Clients of the stream reconnect where they were, a webhook is sent each alert, and probes ask the API all the
time. After each fault: no alert is lost, doubled or unlike the undisturbed run, ids are dense, created_at never
decreases, each client was sent each alert once, and every answer was in time (5 s; /readyz 2 s) and 200 or 503.

Attacks are requests from several addresses of this machine to a service of their own: others must get their answers.

Usage: npm run chaos -- [--only TEXT] [--keep FOLDER]

  --only TEXT    only the faults and attacks whose name contains this
  --keep FOLDER  an existing folder for the output of every process

Faults and attacks:
${NAMES.map((name) => `  ${name}`).join('\n')}`;

const options = readOptions(HELP, { only: undefined, keep: undefined });
const isWanted = (name: string) => name.includes(options.only ?? '');
if (!NAMES.some(isWanted)) throw new Error(`--only: no fault has "${options.only}" in its name`);

const isHeld = [await strikeAttacks(isWanted), await strikeFaults()].every(Boolean);
process.exitCode = isHeld ? 0 : 1;

/** Whether every promise was kept. */
async function strikeFaults(): Promise<boolean> {
  if (!FAULTS.some(({ name }) => isWanted(name))) return true;
  const results: FaultResult[] = [];
  await using folder = await mkdtempDisposable(join(tmpdir(), 'tipoff-chaos-'));
  const expected = await undisturbedAlerts(folder.path, TRADES);
  console.log(`undisturbed: ${expected.length} alerts of ${TRADES} trades`);

  const scene: SceneOptions = {
    ...{ folder: folder.path, expected, isWanted },
    onStart: (name) => console.log(`${new Date().toISOString()} ${name}`),
    async onEnd(result, { members }) {
      results.push(result);
      console.log(tableOf([result]).split('\n').at(-1));
      if (options.keep === undefined) return;
      for (const { name, output } of members.values())
        await writeFile(join(options.keep, `${result.name.replace(/\W+/g, '-')}.${name}.log`), output);
    },
  };
  await strikeReplicaSet(scene);
  await strikeSqlite(scene);

  console.log(`\n${tableOf(results)}`);
  return results.every(({ problems, late }) => problems.length + late.length === 0);
}
