import { MongoJobRepository } from '@agendajs/mongo-backend';
import { toJobId } from 'agenda';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import type { TickSource } from '../../../src/core/operations/job-run-store.ts';
import { connect } from '../../../src/infra/database/mongo/connect.ts';
import { openTickSource } from '../../../src/infra/database/tick-source.ts';
import { systemClock } from '../../../src/infra/process/system-clock.ts';
import { createFakeClock } from '../../support/clock.ts';
import { DATABASES } from '../../support/databases.ts';
import { silentLogger } from '../../support/silent-logger.ts';

const TICK_MS = 60;

test('on SQLite each job ticks 5 s after the start and then every 30 s, until the ticks are closed', async () => {
  const clock = createFakeClock(0);
  const ticked: string[] = [];
  const ticks = await openTickSource('sqlite::memory:', {
    jobs: ['a', 'b'],
    clock,
    logger: silentLogger,
  });

  await ticks.start(async (job) => void ticked.push(`${job}:${clock.now()}`));
  await clock.advance(60_000);
  expect(ticked).toEqual(['a:5000', 'b:5000', 'a:35000', 'b:35000']);

  await ticks.close();
  await clock.advance(60_000);
  expect(ticked).toHaveLength(4);
  expect(clock.sleepers).toBe(0);
});

const mongo = DATABASES[1];
describe.skipIf(mongo?.available !== true)('ticks on MongoDB', () => {
  const opened: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    vi.restoreAllMocks();
    for (const one of opened.splice(0).toReversed()) await one.close();
  });

  async function openUrl(): Promise<string> {
    if (mongo === undefined) throw new Error('no MongoDB');
    const { url, drop } = await mongo.open();
    opened.push({ close: drop });
    return url;
  }

  async function open(url: string, { jobs = ['a'], warn = () => {} } = {}): Promise<TickSource> {
    const logger = { warn };
    const ticks = await openTickSource(url, { jobs, clock: systemClock, logger, tickMs: TICK_MS });
    opened.push(ticks);
    return ticks;
  }

  test('a job that runs is not ticked again; the next process ticks it, also when the one before ended in it', async () => {
    const url = await openUrl();
    const ticked: string[] = [];
    const first = await open(url, { jobs: ['a', 'b'] });
    await first.start(async (job) => {
      ticked.push(job);
      if (job === 'a') await new Promise(() => {});
    });
    const bs = () => ticked.filter((job) => job === 'b').length;
    await vi.waitFor(() => expect(bs()).toBeGreaterThan(6));
    expect(ticked.filter((job) => job === 'a')).toHaveLength(1);

    await first.close();
    const next = await open(url);
    const tickedNext: string[] = [];
    await next.start(async (job) => void tickedNext.push(job));
    await vi.waitFor(() => expect(tickedNext.length).toBeGreaterThan(3));
  });

  test('ticks that a clock 40 days ahead stored come again', async () => {
    const url = await openUrl();
    const clock = createFakeClock(0);
    const options = { jobs: ['a'], clock, logger: silentLogger, tickMs: HOUR_MS };
    const ticks = await openTickSource(url, options);
    opened.push(ticks);
    await ticks.start(async () => {});
    const connection = await connect(url);
    opened.push(connection);
    const jobs = connection.db?.collection('agenda_jobs');
    const ahead = new Date(Date.now() + 40 * DAY_MS);
    await clock.asleep();
    await jobs?.updateOne({ name: 'a' }, { $set: { nextRunAt: ahead, lockedAt: ahead } });

    await clock.advance(MINUTE_MS);

    const soon = Date.now() + 2 * HOUR_MS;
    const stored = () => jobs?.findOne({ name: 'a', lockedAt: null, nextRunAt: { $lt: new Date(soon) } });
    await vi.waitFor(async () => expect(await stored()).not.toBeNull());
  });

  test('a database failure is logged and left unhandled nowhere, and the ticks come again afterwards', async () => {
    const warn = vi.fn();
    const repository = MongoJobRepository.prototype;
    const { unlockJob } = repository;
    let unlocks = 0;
    // Not a spy, which would handle the rejection itself.
    repository.unlockJob = async () => {
      unlocks += 1;
      throw new Error('connection lost');
    };
    opened.push({ close: async () => void Object.assign(repository, { unlockJob }) });
    const ticks = await open(await openUrl(), { warn });
    const ticked: string[] = [];
    await ticks.start(async (job) => void ticked.push(job));
    await vi.waitFor(() => expect(ticked).not.toEqual([]));

    // Agenda unlocks a job that is locked although it is due later, and does not wait for the answer.
    const job = { name: 'a', priority: 0, type: 'single', data: null, lockedAt: new Date() } as const;
    const later = { ...job, _id: toJobId('x'), nextRunAt: new Date(Date.now() + DAY_MS) };
    vi.spyOn(repository, 'getNextJobToRun').mockResolvedValueOnce(later);
    await vi.waitFor(() => expect(unlocks).toBe(1));
    const failing = (['getNextJobToRun', 'saveJobState'] as const).map((name) =>
      vi.spyOn(repository, name).mockRejectedValue(new Error('connection lost')),
    );
    await vi.waitFor(() => expect(warn.mock.calls.length).toBeGreaterThan(1));
    for (const spy of failing) spy.mockRestore();

    ticked.length = 0;
    await vi.waitFor(() => expect(ticked).not.toEqual([]));
  });
});
