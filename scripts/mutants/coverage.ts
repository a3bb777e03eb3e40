import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow } from '../code/imports.ts';
import { instrumented, type Mutant } from './mutants.ts';
import { withFastCounters } from './reached-mutants.ts';
import { testsOf, testsReaching } from './related-tests.ts';
import type { Sandbox } from './sandbox.ts';

/** Mutants that one test reached, by Stryker's numbers. */
interface Reached {
  readonly file: string;
  readonly test: string;
  readonly mutants: readonly number[];
}

/** Which tests reach which mutant. */
export interface Coverage {
  /** The tests that were asked. */
  readonly files: readonly string[];
  /** `names`: of the tests that reach it, for `vitest -t`; empty for all of those files. */
  testsFor(mutant: Mutant): { readonly files: readonly string[]; readonly names: readonly string[] };
}

/** More names than these do not fit into a command. */
const NAMES_MAX = 60_000;
/** The time before the first test of a file. */
const OUTSIDE = '';

/** Runs the tests of a folder once, on instrumented code. */
export async function coverageOf(area: string, sandbox: Sandbox): Promise<Coverage> {
  const asked = testsOf(area);
  const records = join(sandbox.folder, `reached-${area}.jsonl`);
  const { files: sources } = await instrumented(filesBelow(`src/core/${area}`));
  for (const { name, content } of sources) sandbox.write(name, withFastCounters(content));
  process.stderr.write(`${area}: ${asked.length} files of tests on instrumented code\n`);
  const run = { files: asked, names: [], cpuSeconds: 1_000, coverageFile: records };
  const { end, failed } = await sandbox.run(run);
  for (const { name } of sources) sandbox.restore(name);
  if (end === 'timeout') throw new Error('the tests do not end without a mutant');
  // Where the machine is too busy for a test, it would kill every mutant.
  const files = asked.filter((file) => !failed.includes(file));
  if (failed.length > 0) process.stderr.write(`${area}: without ${failed.join(', ')}, which failed\n`);
  const reached = existsSync(records)
    ? readFileSync(records, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Reached)
    : [];
  rmSync(records, { force: true });
  return { files, testsFor: (mutant) => testsFor(mutant, files, reached) };
}

function testsFor(mutant: Mutant, files: readonly string[], reached: readonly Reached[]) {
  const those = reached.filter(
    ({ file, mutants }) => files.includes(file) && mutants.includes(Number(mutant.number)),
  );
  const tests = those.filter(({ test }) => test !== OUTSIDE);
  // Code that runs while a module is loaded counts for the file that loaded it first.
  if (tests.length < those.length) {
    const near = new Set(testsReaching(mutant.file));
    return { files: files.filter((file) => near.has(file)), names: [] };
  }
  const names = [...new Set(tests.map(({ test }) => test))];
  const isShort = names.join('').length < NAMES_MAX;
  return { files: [...new Set(tests.map(({ file }) => file))], names: isShort ? names : [] };
}
