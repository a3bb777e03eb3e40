import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { PATIENT } from './test/support/lanes/patient.ts';
import { unitTests } from './test/support/lanes/unit-tests.ts';
import { scratchFolder } from './test/support/scratch-folder.ts';

// Every process of the run, mongod included, makes its files there.
process.env['TMPDIR'] = scratchFolder();
// Tests start the service some hundred times: half of that would go into compiling the same files.
process.env['NODE_COMPILE_CACHE'] = join(scratchFolder(), 'tipoff-compiled');

// No test reaches a node on the internet.
process.env['POLYGON_RPC_URL'] = 'off';

const unit = unitTests();
/** Real kills, the image, clients and long scenarios: `npm run test:system`. */
const SYSTEM = 'test/system/**/*.test.ts';

/** Whole services and kills at every call take longest. They come first, also where no earlier run was measured. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) =>
      /\/test\/(?:service|system)\/|-crash\.test\.ts$/.test(moduleId);
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    // A worker keeps what it has loaded: loading it anew for each file would take a quarter of the run.
    isolate: false,
    // Many tests wait for processes and clocks rather than work, so there is one more than there are cores.
    maxWorkers: availableParallelism() + 1,
    // On a machine that does much else a test takes many times its own time.
    testTimeout: 90_000,
    hookTimeout: 60_000,
    expect: { poll: PATIENT },
    setupFiles: ['test/support/lanes/patience.ts'],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['test/**/*.test.ts'],
          exclude: [...unit, SYSTEM],
          globalSetup: ['test/support/mongod/global-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'system',
          include: [SYSTEM],
          globalSetup: ['test/support/mongod/global-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'unit',
          include: unit,
          setupFiles: ['test/support/lanes/patience.ts', 'test/support/lanes/unit-setup.ts'],
        },
      },
    ],
  },
});
