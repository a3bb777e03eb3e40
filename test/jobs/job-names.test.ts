import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { JOB_NAMES } from '../../src/core/operations/job-run-store.ts';

const JOBS = join(import.meta.dirname, '..', '..', 'jobs');

test('JOB_NAMES are the names of the jobs that there are', () => {
  const names = readdirSync(JOBS).flatMap((file) => {
    const [, name] = /^ {4}name: '([a-z-]+)',$/m.exec(readFileSync(join(JOBS, file), 'utf8')) ?? [];
    return name === undefined ? [] : [name];
  });
  expect(names.toSorted()).toEqual([...JOB_NAMES].toSorted());
});
