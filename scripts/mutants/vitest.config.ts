import { defineConfig, type UserWorkspaceConfig } from 'vitest/config';
import config from '../../vitest.config.ts';

// What a project does not set it takes from here.
const { projects = [], ...shared } = config.test ?? {};
/** For a test that waits for what never comes. */
const timeoutMs = 150_000;

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
      },
    })),
  },
});
