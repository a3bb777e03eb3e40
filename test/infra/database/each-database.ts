import { afterEach, beforeEach, describe } from 'vitest';
import type { Database } from '../../../src/core/database.ts';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { DATABASES, type DatabaseKind, type TestDatabase } from '../../support/databases.ts';
import { silentLogger } from '../../support/silent-logger.ts';

export interface Fixture {
  readonly database: Database;
  readonly url: string;
  /** Another connection to the same database, as another process would have. */
  another(): Promise<Database>;
  /** One more empty database, for each run of a property. That of the run before is dropped. */
  fresh(): Promise<Database>;
}

/** Runs a suite on each database: one contract, and what it says holds on both. */
export function onEachDatabase(title: string, suite: (fixture: Fixture) => void): void {
  onDatabases(DATABASES, title, suite);
}

/** Runs a suite of what is above the stores on SQLite alone: that both databases do the same is shown of the stores. */
export function onSqlite(title: string, suite: (fixture: Fixture) => void): void {
  onDatabases(DATABASES.slice(0, 1), title, suite);
}

function onDatabases(
  databases: readonly DatabaseKind[],
  title: string,
  suite: (fixture: Fixture) => void,
): void {
  for (const { name, available, open } of databases) {
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
          const database = await openDatabase(current.url, { logger: silentLogger, isStart: true });
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
