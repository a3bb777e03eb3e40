import { defineConfig, type UserWorkspaceConfig } from 'vitest/config';
import config from '../../vitest.config.ts';

// What a project does not set it takes from here.
const { projects = [], ...shared } = config.test ?? {};
const isCovering = process.env['MUTANT_COVERAGE'] !== undefined;
const coverage = isCovering ? ['scripts/mutants/coverage-setup.ts'] : [];
/** For a test that waits for what never comes; instrumented code is slower. */
const timeoutMs = isCovering ? 300_000 : 150_000;

export default defineConfig({
  ...config,
  test: {
    ...shared,
    projects: (projects as UserWorkspaceConfig[]).map(({ test, ...project }) => ({
      ...project,
      test: {
        ...test,
        testTimeout: timeoutMs,
        hookTimeout: timeoutMs,
        ...(test?.globalSetup && { globalSetup: ['scripts/mutants/no-mongod.ts'] }),
        setupFiles: [...((test?.setupFiles ?? []) as string[]), ...coverage],
      },
    })),
  },
});
