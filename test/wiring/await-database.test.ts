import { expect, test } from 'vitest';
import { DatabaseUnavailable } from '../../src/core/base/database-errors.ts';
import { UserError } from '../../src/core/base/user-error.ts';
import type { Database } from '../../src/core/database.ts';
import { awaitDatabase } from '../../src/wiring/await-database.ts';
import { createFakeClock } from '../support/clock.ts';
import { createRecordingLogger } from '../support/recording-logger.ts';
import { START } from '../support/rows.ts';

const DATABASE = { kind: 'sqlite' } as Database;
const AWAY = new DatabaseUnavailable('DATABASE_URL: it does not answer');

function fixtureOf(open: (seconds: number) => Database) {
  const clock = createFakeClock(START);
  const { lines, ...logger } = createRecordingLogger();
  const seconds = () => (clock.now() - START) / 1_000;
  const opened = awaitDatabase(async () => open(seconds()), { clock, logger }).catch(
    (error: unknown) => error,
  );
  return { clock, lines, seconds, opened };
}

function absentUntil(openSecond: number) {
  return (seconds: number) => {
    if (seconds < openSecond) throw AWAY;
    return DATABASE;
  };
}

test('a database that is absent at start is waited for, which the log says', async () => {
  const { clock, lines, opened } = fixtureOf(absentUntil(25));

  await clock.asleep(1);
  await clock.advance(25_000);

  expect(await opened).toBe(DATABASE);
  const message = 'database unavailable; waiting for it for up to 60 s';
  const line = { level: 'warn', message, fields: { reason: AWAY.message } };
  expect(new Set(lines.map((one) => JSON.stringify(one)))).toEqual(new Set([JSON.stringify(line)]));
  expect(clock.sleepers).toBe(0);
});

test('after 60 s its last error is thrown', async () => {
  const { clock, seconds, opened } = fixtureOf(absentUntil(1_000));

  await clock.asleep(1);
  await clock.advance(60_000);

  expect(await opened).toBe(AWAY);
  expect(seconds()).toBe(60);
});

test('what only a change resolves is thrown immediately', async () => {
  const wrong = new UserError('DATABASE_URL: it is a folder');
  const { lines, opened } = fixtureOf(() => {
    throw wrong;
  });

  expect(await opened).toBe(wrong);
  expect(lines).toEqual([]);
});
