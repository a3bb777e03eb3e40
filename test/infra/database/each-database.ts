import { afterEach, beforeEach, describe } from 'vitest';
import type { Database } from '../../../src/core/database.ts';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { DATABASES, type TestDatabase } from '../../support/databases.ts';
import { silentLogger } from '../../support/silent-logger.ts';

export interface Fixture {
  /** Empty at the start of each test. */
  readonly database: Database;
  readonly url: string;
  /** Another connection to the same database, as another process would have. */
  another(): Promise<Database>;
  /** One more empty database, for each run of a property. That of the run before is dropped. */
  fresh(): Promise<Database>;
}

/** Runs a suite on each database: one contract, and what it says holds on both. */
export function onEachDatabase(title: string, suite: (fixture: Fixture) => void): void {
  for (const { name, available, open } of DATABASES) {
    describe.skipIf(!available)(`${title} on ${name}`, () => {
      let current: TestDatabase;
      let others: Database[] = [];
      let ofRun: TestDatabase | null = null;
      beforeEach(async () => {
        current = await open();
      });
      afterEach(async () => {
        await Promise.all(others.map((other) => other.close()));
        await Promise.all([current.drop(), ofRun?.drop()]);
        others = [];
        ofRun = null;
      });
      suite({
        get database() {
          return current.database;
        },
        get url() {
          return current.url;
        },
        async another() {
          const database = await openDatabase(current.url, { logger: silentLogger, migrates: true });
          others.push(database);
          return database;
        },
        async fresh() {
          await ofRun?.drop();
          ofRun = await open();
          return ofRun.database;
        },
      });
    });
  }
}
