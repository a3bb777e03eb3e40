import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import { afterAll, beforeEach, expect } from 'vitest';

/** What the instrumented code reads and writes. */
interface Stryker {
  currentTestId?: string;
  mutantCoverage?: { perTest: Record<string, Record<string, number>> };
}

const shared = globalThis as { __stryker__?: Stryker };
shared.__stryker__ ??= {};
const stryker = shared.__stryker__;
// While the file is loaded, and before the first of its tests.
stryker.currentTestId = 'outside of a test';

beforeEach(({ task }) => {
  stryker.currentTestId = task.fullTestName;
});

const file = relative(process.cwd(), expect.getState().testPath ?? '');

afterAll(() => {
  const reached = stryker.mutantCoverage?.perTest ?? {};
  for (const [test, mutants] of Object.entries(reached)) {
    const record = { file, test, mutants: Object.keys(mutants) };
    appendFileSync(process.env['MUTANT_COVERAGE'] as string, `${JSON.stringify(record)}\n`);
    delete reached[test];
  }
});
