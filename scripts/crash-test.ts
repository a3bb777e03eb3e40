import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { runUndisturbed, runWithKills } from '../test/support/crash-run.ts';
import { readOptions } from './command-line.ts';

const HELP = `Kills a replaying service again and again and compares its ledger, log and observations with those of an undisturbed one.

Usage: npm run crash-test -- [--kills N] [--mongodb URI]

  --kills N      how often SIGKILL strikes (default 25)
  --mongodb URI  a server to use instead of SQLite; the databases tipoff_calm and tipoff_killed must not exist`;

const options = readOptions(HELP, { kills: '25', mongodb: undefined });

await using folder = await mkdtempDisposable(join(tmpdir(), 'tipoff-crash-'));
const urlOf = (name: string) =>
  options.mongodb === undefined
    ? `sqlite:${join(folder.path, `${name}.db`)}`
    : `${options.mongodb}/tipoff_${name}`;
const calm = await runUndisturbed(urlOf('calm'));
console.log(
  `undisturbed: ${calm.alerts.length} alerts, ${calm.log.length} log entries and ${calm.observations.length} observed markets and hours in ${Math.round(calm.workMs)} ms`,
);
const killed = await runWithKills({
  url: urlOf('killed'),
  kills: Number(options.kills),
  workMs: calm.workMs,
  random: Math.random,
  onKill: (kill, { alerts, log }) =>
    console.log(`kill ${kill}: ${alerts.length} alerts in the ledger, ${log.length} entries in the log`),
});
const isEqual = isDeepStrictEqual(killed.alerts, calm.alerts);
const isDense = killed.alerts.every(({ id }, index) => id === index + 1);
const isLogEqual = isDeepStrictEqual(killed.log, calm.log);
const isObservedEqual = isDeepStrictEqual(killed.observations, calm.observations);
console.log(
  `after ${options.kills} kills: ${killed.alerts.length} alerts, ids ${isDense ? 'dense' : 'NOT dense'}, ${isEqual ? 'equal' : 'NOT equal'} to the undisturbed ledger; ${killed.log.length} log entries, ${isLogEqual ? 'equal' : 'NOT equal'} line by line; ${killed.observations.length} observed markets and hours, ${isObservedEqual ? 'equal' : 'NOT equal'}`,
);
process.exitCode = isEqual && isDense && isLogEqual && isObservedEqual ? 0 : 1;
