import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { runUndisturbed, runWithKills } from '../test/support/crash-run.ts';

const HELP = `Kills a replaying service again and again and compares its ledger with an undisturbed one.

Usage: npm run crash-test -- [--kills N] [--mongodb URI]

  --kills N      how often SIGKILL strikes (default 25)
  --mongodb URI  a server to use instead of SQLite; the databases tipoff_calm and tipoff_killed must not exist`;

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '25' },
    mongodb: { type: 'string' },
    help: { type: 'boolean' },
  },
});
if (values.help === true) {
  console.log(HELP);
  process.exit(0);
}

const folder = await mkdtemp(join(tmpdir(), 'tipoff-crash-'));
const urlOf = (name: string) =>
  values.mongodb === undefined ? `sqlite:${join(folder, `${name}.db`)}` : `${values.mongodb}/tipoff_${name}`;
const calm = await runUndisturbed(urlOf('calm'));
console.log(`undisturbed: ${calm.alerts.length} alerts in ${Math.round(calm.workMs)} ms`);
const killed = await runWithKills({
  url: urlOf('killed'),
  kills: Number(values.kills),
  workMs: calm.workMs,
  random: Math.random,
  onKill: (kill, alerts) => console.log(`kill ${kill}: ${alerts} alerts in the ledger`),
});
await rm(folder, { recursive: true, force: true });
const isEqual = isDeepStrictEqual(killed, calm.alerts);
const isDense = killed.every(({ id }, index) => id === index + 1);
console.log(
  `after ${values.kills} kills: ${killed.length} alerts, ids ${isDense ? 'dense' : 'NOT dense'}, ${isEqual ? 'equal' : 'NOT equal'} to the undisturbed ledger`,
);
process.exitCode = isEqual && isDense ? 0 : 1;
