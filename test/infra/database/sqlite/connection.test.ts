import { expect, onTestFinished, test } from 'vitest';
import { openWriter, prepareQuery, unsynced } from '../../../../src/infra/database/sqlite/connection.ts';

const [OFF, NORMAL, FULL] = [0, 1, 2];

function opened(synchronous: 'OFF' | 'FULL') {
  const db = openWriter(':memory:', synchronous);
  onTestFinished(() => db.close());
  const level = () => prepareQuery<{ synchronous: number }>(db, 'PRAGMA synchronous').get()?.synchronous;
  return { db, level };
}

test('work that need not wait for the disk does not, and what follows it does, also after an error', () => {
  const { db, level } = opened('FULL');

  expect(unsynced(db, level)).toBe(NORMAL);
  expect(level()).toBe(FULL);
  expect(() =>
    unsynced(db, () => {
      throw new Error('refused');
    }),
  ).toThrow('refused');
  expect(level()).toBe(FULL);
});

test('a connection that never waits for the disk stays as it is', () => {
  const { db, level } = opened('OFF');

  expect(unsynced(db, level)).toBe(OFF);
  expect(level()).toBe(OFF);
});
