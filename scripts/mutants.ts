import { availableParallelism } from 'node:os';
import { alignColumns } from '../src/cli/terminal.ts';
import { readOptions } from './command-line.ts';
import { AREAS, judgeMutants, type Verdict } from './mutants/judge-mutants.ts';
import { type Mutant, mutantsOf, sample } from './mutants/mutants.ts';

const HELP = `Changes the code of the domain in one place at a time, and runs the tests that reach it: a change that no test
notices shows what the tests do not guarantee. A mutant is killed when a test fails, or never ends.

  npm run mutants -- --seed 1 --per 60   60 mutants of each folder: ${AREAS.join(', ')}
  npm run mutants -- --only detection    of one folder; several with a comma
  npm run mutants -- --workers 2         tests that run at the same time

Tests that run on both databases run on SQLite only. The mutants are those of Stryker. Left out: what the compiler refuses, texts of errors, arguments of log lines, the words of constants
named *_MEANINGS, and equivalents, which a comment in the code names (Stryker disable). Exit code 1 if fewer than 85 % of a folder are killed.`;
const ENOUGH = 0.85;

const options = readOptions(HELP, {
  seed: '1',
  per: '60',
  only: AREAS.join(','),
  workers: String(availableParallelism()),
});
const areas = options.only.split(',');
const unknown = areas.filter((area) => !AREAS.includes(area));
if (unknown.length > 0) throw new Error(`--only: no such folder: ${unknown.join(', ')}`);

const all = new Map<string, readonly Mutant[]>();
for (const area of areas) all.set(area, await mutantsOf(area));
const chosen = [...all.values()].flatMap((mutants) =>
  sample(mutants, { seed: options.seed, size: Number(options.per) }),
);
const verdicts: Verdict[] = [];
await judgeMutants(chosen, {
  workers: Number(options.workers),
  onVerdict(verdict) {
    verdicts.push(verdict);
    process.stderr.write(`${verdicts.length}/${chosen.length} ${line(verdict)}\n`);
  },
});
print();

function line({ mutant, end, by }: Verdict): string {
  const { file, line, original, replacement } = mutant;
  return `${end} ${file}:${line}  ${original} → ${replacement}${by === null ? '' : `  (${by})`}`;
}

function print(): void {
  const rows = areas.map((area) => {
    const judged = verdicts.filter(({ mutant, end }) => mutant.area === area && end !== 'refused');
    const killed = judged.filter(({ end }) => end !== 'survived').length;
    const timeouts = judged.filter(({ end }) => end === 'timeout').length;
    return { area, judged: judged.length, killed, timeouts, of: all.get(area)?.length ?? 0 };
  });
  const cells = rows.map(({ area, judged, killed, timeouts, of }) => {
    const share = `${killed} (${((100 * killed) / Math.max(1, judged)).toFixed(1)} %)`;
    return [area, String(judged), share, ...[timeouts, judged - killed, of].map(String)];
  });
  const head = ['folder', 'mutants', 'killed', 'by timeout', 'survivors', 'of in all'];
  console.log(`${alignColumns([head, ...cells]).join('\n')}\n`);
  for (const verdict of verdicts.filter(({ end }) => end === 'survived')) console.log(line(verdict));
  if (rows.some(({ judged, killed }) => killed < ENOUGH * judged)) process.exitCode = 1;
}
