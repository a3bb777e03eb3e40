import { randomUUID } from 'node:crypto';
import type { TestProject } from 'vitest/node';
import { findMongod } from './find-mongod.ts';
import { dropDatabases } from './mongo-database.ts';
import { startMongod } from './own-mongod.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A real MongoDB server, or null where none is available. */
    mongoUri: string | null;
    /** Of the names of the databases that this run makes there. */
    databasePrefix: string;
  }
}

/**
 * One MongoDB for the whole run. `TEST_MONGODB_URI` names one that runs already, or is `none`. Where none is available, its
 * tests are skipped by name; with `CI=true` that fails the run instead.
 */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const { CI, TEST_MONGODB_URI } = process.env;
  const prefix = `tipoff_${randomUUID().slice(0, 8)}_`;
  project.provide('databasePrefix', prefix);
  if (TEST_MONGODB_URI === 'none') {
    project.provide('mongoUri', null);
    return undefined;
  }
  if (TEST_MONGODB_URI) {
    project.provide('mongoUri', TEST_MONGODB_URI);
    return () => dropDatabases(TEST_MONGODB_URI, prefix);
  }
  const found = await findMongod();
  if ('problems' in found) {
    const reason = `No mongod to be had:\n${found.problems.map((problem) => `  - ${problem}`).join('\n')}\n`;
    if (CI === 'true') throw new Error(reason);
    process.stderr.write(`${reason}The tests on MongoDB are skipped.\n`);
    project.provide('mongoUri', null);
    return undefined;
  }
  // It sweeps by its own time, in which what a test with another `Date` has written may be over.
  const noSweeps = ['--setParameter', 'ttlMonitorEnabled=false'];
  const noStatistics = ['--setParameter', 'diagnosticDataCollectionEnabled=false'];
  const server = await startMongod([...noSweeps, ...noStatistics]);
  project.provide('mongoUri', server.uri);
  return server.stop;
}
