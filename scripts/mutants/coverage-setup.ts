import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { reachedMutants } from './reached-mutants.ts';

const file = relative(process.cwd(), expect.getState().testPath ?? '');

/** Writes what was reached since the last call. */
function record(test: string): void {
  const mutants = [...reachedMutants.entries()].flatMap(([number, isReached]) => (isReached ? [number] : []));
  reachedMutants.fill(0);
  if (mutants.length === 0) return;
  appendFileSync(process.env['MUTANT_COVERAGE'] as string, `${JSON.stringify({ file, test, mutants })}\n`);
}

let isBegun = false;

beforeEach(() => {
  if (!isBegun) record('');
  isBegun = true;
});
afterEach(({ task }) => record(task.fullTestName));
