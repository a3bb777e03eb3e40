import type { TestProject } from 'vitest/node';

/** SQLite finds what both databases would: the tests on MongoDB are skipped, since they take most of the time. */
export function setup(project: TestProject): void {
  project.provide('mongoUri', null);
  project.provide('databasePrefix', '');
}
