import { setTimeout as delay } from 'node:timers/promises';
import { toJobId } from 'agenda';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createJobRunner, type JobRunnerDeps } from '../../jobs/job-runner.ts';
import type { Database } from '../../src/core/database/database.ts';
import { DAY_MS } from '../../src/core/duration.ts';
import { openSqliteAgendaBackend } from '../../src/infra/sqlite/agenda-backend.ts';
import { openSqlite } from '../../src/infra/sqlite/open-sqlite.ts';
import { createFakeClock } from '../support/clock.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { MORNING, notedJob } from './job-fixture.ts';

const PATIENT = { timeout: 20_000, interval: 10 };
const PACE = { tickMs: 20, processEveryMs: 10 };
const SEVERAL_TICKS_MS = 100;
const clock = createFakeClock(MORNING);

let database: Database;
beforeEach(async () => {
  database = await openSqlite({ path: ':memory:' });
});
afterEach(() => database.close());

function createRunner(given: Partial<JobRunnerDeps> & Pick<JobRunnerDeps, 'jobs'>) {
  return createJobRunner({
    backend: openSqliteAgendaBackend(':memory:'),
    jobRuns: database.jobRuns,
    isPaused: () => false,
    isGone: () => false,
    owner: 'one',
    clock,
    logger: silentLogger,
    pace: PACE,
    ...given,
  });
}

test('leaves a paused job alone, says that it is paused, and makes up what is due when it is resumed', async () => {
  const { job, periods } = notedJob();
  let isPaused = true;
  const runner = createRunner({
    jobs: [job],
    isPaused: (name) => name === 'job:daily-digest' && isPaused,
  });
  await runner.start();

  await delay(SEVERAL_TICKS_MS);
  expect(periods()).toEqual([]);
  expect(await runner.status()).toMatchObject([{ isPaused: true, lastRun: null }]);
  expect(await runner.run('daily-digest')).toEqual({ isRun: false, reason: 'paused' });

  isPaused = false;
  await vi.waitFor(() => expect(periods()).toHaveLength(1), PATIENT);
  await runner.close();
});

test('a database that goes away for a while is said, nothing is left unhandled, and the ticks come again', async () => {
  const { job, periods } = notedJob();
  const backend = openSqliteAgendaBackend(':memory:');
  const warnings: string[] = [];
  const logger = { ...silentLogger, warn: (_: object, message: string) => void warnings.push(message) };
  const runner = createRunner({ jobs: [job], backend, logger });
  await runner.start();
  await vi.waitFor(() => expect(periods()).toHaveLength(1), PATIENT);

  // A job that is locked though it is due later is freed by Agenda, which does not wait for that.
  const later = { name: job.name, priority: 0, type: 'single', data: null, lockedAt: new Date() } as const;
  const early = { ...later, _id: toJobId('x'), nextRunAt: new Date(Date.now() + DAY_MS) };
  vi.spyOn(backend.repository, 'getNextJobToRun').mockResolvedValueOnce(early);
  let unlocks = 0;
  // No spy, as that would take notice of the rejection itself.
  backend.repository.unlockJob = async () => {
    unlocks += 1;
    throw new Error('connection lost');
  };
  await vi.waitFor(() => expect(unlocks).toBe(1), PATIENT);
  const away = (['getNextJobToRun', 'saveJobState'] as const).map((name) =>
    vi.spyOn(backend.repository, name).mockRejectedValue(new Error('connection lost')),
  );
  await vi.waitFor(() => expect(warnings).not.toEqual([]), PATIENT);
  for (const spy of away) spy.mockRestore();
  await clock.advance(DAY_MS);

  await vi.waitFor(() => expect(periods()).toHaveLength(2), PATIENT);
  await runner.close();
});

test('what still runs is not begun again, and whoever asks for it gets what comes of it', async () => {
  const work = Promise.withResolvers<string>();
  const { job, contexts } = notedJob(() => work.promise);
  const runner = createRunner({ jobs: [job] });
  await runner.start();
  await vi.waitFor(() => expect(contexts).toHaveLength(1), PATIENT);

  const asked = runner.run('daily-digest');
  await delay(SEVERAL_TICKS_MS);
  work.resolve('finished');

  expect(await asked).toMatchObject({ isRun: true, outcome: 'finished' });
  expect(contexts).toHaveLength(1);
  await runner.close();
});

test('closing tells what runs to end and waits for it, begins nothing more, and lets go of the database', async () => {
  const work = Promise.withResolvers<string>();
  const { job, contexts } = notedJob(() => work.promise);
  const other = notedJob();
  const backend = openSqliteAgendaBackend(':memory:');
  const looks = vi.spyOn(backend.repository, 'getNextJobToRun');
  const disconnect = vi.spyOn(backend, 'disconnect');
  let isOtherDue = false;
  const schedule = { words: '', slotAt: () => ({ period: isOtherDue ? 'b' : 'a', dueAt: MORNING }) };
  const runner = createRunner({ jobs: [job, { ...other.job, name: 'other', schedule }], backend });
  await runner.start();
  await vi.waitFor(() => expect([...contexts, ...other.contexts]).toHaveLength(2), PATIENT);

  const closing = runner.close();
  expect(contexts[0]?.signal.aborted).toBe(true);
  isOtherDue = true;
  await delay(SEVERAL_TICKS_MS);
  work.resolve('finished');
  await closing;

  expect([contexts.length, other.contexts.length]).toEqual([1, 1]);
  expect(await database.jobRuns.latest()).toMatchObject([{ outcome: 'finished', isFailed: false }, {}]);
  expect(disconnect).toHaveBeenCalledTimes(1);
  const before = looks.mock.calls.length;
  await delay(SEVERAL_TICKS_MS);
  expect(looks.mock.calls.length).toBe(before);
});

test('closing waits 5 s at most', async () => {
  const { job, contexts } = notedJob(() => new Promise(() => {}));
  const runner = createRunner({ jobs: [job] });
  await runner.start();
  await vi.waitFor(() => expect(contexts).toHaveLength(1), PATIENT);

  const closing = runner.close();
  await clock.advance(5_000);

  await closing;
});

test('a database that cannot be reached fails the start, and it can be closed then', async () => {
  const away = async () => {
    throw new Error('connection refused');
  };
  const backend = { ...openSqliteAgendaBackend(':memory:'), connect: away };
  const runner = createRunner({ jobs: [], backend });

  await expect(runner.start()).rejects.toThrow('connection refused');
  await runner.close();
});
