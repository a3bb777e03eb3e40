import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import sqlite from 'node:sqlite';

const REMEDY =
  'the unit lane (test/support/lanes/unit-tests.ts) has neither. Import the module that opens it with a static `import`: ' +
  'the test then runs in the integration lane.';

function refuse(module: object, names: readonly string[], what: string): void {
  for (const name of names) {
    Object.defineProperty(module, name, {
      value: function refused(): never {
        throw new Error(`${name}: a unit test ${what}; ${REMEDY}`);
      },
    });
  }
}

const STARTERS = ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork'];
refuse(childProcess, STARTERS, 'starts a process');
refuse(sqlite, ['DatabaseSync'], 'opens a database');
syncBuiltinESMExports();
