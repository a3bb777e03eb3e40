import { defineConfig, mergeConfig } from 'vitest/config';
import config from '../../vitest.config.ts';

// What a project does not set it takes from here.
const { projects = [], ...shared } = config.test ?? {};
const isCovering = process.env['MUTANT_COVERAGE'] !== undefined;

export default defineConfig({
  ...config,
  test: {
    ...shared,
    projects: projects.map((project) =>
      isCovering
        ? mergeConfig(project as object, { test: { setupFiles: ['scripts/mutants/coverage-setup.ts'] } })
        : project,
    ),
  },
});
