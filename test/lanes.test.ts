import { describe, expect, test } from 'vitest';
import { unitTests } from './support/lanes/unit-tests.ts';

describe('the unit lane', () => {
  test('holds the tests whose imports lead to no database and no process', () => {
    const files = unitTests();

    expect(files).toContain('test/lanes.test.ts');
    expect(files).toContain('test/core/detection/detector.test.ts');
    expect(files).not.toContain('test/infra/database/key-store.test.ts');
    expect(files).not.toContain('test/service/life.test.ts');
    expect(files.filter((file) => file.startsWith('test/system/'))).toEqual([]);
  });

  test('refuses a process, however it is started, and says where such a test belongs', () => {
    const { spawn, execFileSync } = process.getBuiltinModule('node:child_process');

    expect(() => spawn('true')).toThrow(/^spawn: a unit test starts a process; .*integration lane/s);
    expect(() => execFileSync('true')).toThrow('a unit test starts a process');
  });

  test('refuses a database', () => {
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite');

    expect(() => new DatabaseSync(':memory:')).toThrow('a unit test opens a database');
  });
});
