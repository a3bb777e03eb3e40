import type { AgendaBackend, JobParameters } from 'agenda';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openAgendaBackend } from '../../../src/infra/agenda-backend.ts';
import { systemClock } from '../../../src/infra/system-clock.ts';
import { onEachDatabase } from './each-database.ts';

const NOW = Date.now();
const at = (ms: number) => new Date(NOW + ms);
const BY = { lastModifiedBy: 'host/1' };

const jobOf = (given: Partial<JobParameters> = {}): JobParameters => ({
  name: 'digest',
  priority: 0,
  type: 'normal',
  nextRunAt: at(-1_000),
  data: null,
  ...given,
});

onEachDatabase('Agenda’s backend', (fixture) => {
  let backend: AgendaBackend;
  let another: AgendaBackend;
  beforeEach(async () => {
    [backend, another] = [
      await openAgendaBackend(fixture.url, systemClock),
      await openAgendaBackend(fixture.url, systemClock),
    ];
    await Promise.all([backend.connect(), another.connect()]);
  });
  afterEach(() => Promise.all([backend.disconnect(), another.disconnect()]));

  const save = async (given: Partial<JobParameters> = {}) => {
    const saved = await backend.repository.saveJob(jobOf(given), BY);
    return { ...saved, _id: saved._id as NonNullable<JobParameters['_id']> };
  };
  const read = async ({ _id }: JobParameters) => backend.repository.getJobById(String(_id));
  const lockNext = (from = backend, lockDeadline = at(-60_000)) =>
    from.repository.getNextJobToRun('digest', at(5_000), lockDeadline, at(0), BY);

  test('a job is read as it was saved, by every process', async () => {
    const fields = {
      priority: 10,
      data: { day: '2026-11-20', nested: { list: [1, null] } },
      repeatInterval: 30_000,
      failCount: 2,
      failedAt: at(-50),
      lastRunAt: at(-70),
      startDate: at(-99),
      skipDays: [0, 6],
      progress: 40,
    };
    const saved = await save(fields);

    const found = await another.repository.getJobById(saved._id);

    expect(found).toMatchObject({ ...jobOf(fields), ...BY, _id: saved._id });
    expect(found?.lockedAt).toBeUndefined();
    expect(found?.disabled).toBeUndefined();
  });

  test('of many that ask at once one gets the job, and it is locked then', async () => {
    const saved = await save();

    const got = await Promise.all(Array.from({ length: 10 }, (_, n) => lockNext(n % 2 ? backend : another)));

    const jobs = got.filter((job) => job !== undefined);
    expect(jobs).toHaveLength(1);
    expect(jobs[0]).toMatchObject({ _id: saved._id, name: 'digest', lockedAt: at(0), nextRunAt: at(-1_000) });
  });

  test('the job that is due first comes first, of those the more important; later, other and disabled ones do not', async () => {
    await save({ data: 'third' });
    await save({ data: 'second', nextRunAt: at(-2_000) });
    await save({ data: 'first', nextRunAt: at(-2_000), priority: 20 });
    await save({ data: 'soon', nextRunAt: at(5_000) });
    await save({ data: 'late', nextRunAt: at(5_001) });
    await save({ name: 'other' });
    await save({ disabled: true });
    await save({ nextRunAt: null });

    const order: unknown[] = [];
    for (let job = await lockNext(); job !== undefined; job = await lockNext()) order.push(job.data);

    expect(order).toEqual(['first', 'second', 'third', 'soon']);
  });

  test('a lock as old as the deadline is taken over, also of a job that runs for the last time', async () => {
    const saved = await save();
    await lockNext();
    await backend.repository.saveJobState({ ...saved, lockedAt: at(0), nextRunAt: null }, BY);

    expect(await lockNext(another, at(-1))).toBeUndefined();
    expect(await lockNext(another, at(0))).toMatchObject({ _id: saved._id });
  });

  test('a job is locked only as it is known: free, enabled and due at that moment', async () => {
    const saved = await save();
    const { repository } = another;
    expect(await repository.lockJob({ ...saved, nextRunAt: at(1) }, BY)).toBeUndefined();

    expect(await repository.lockJob(saved, BY)).toMatchObject({ _id: saved._id, lockedAt: expect.any(Date) });

    expect(await repository.lockJob(saved, BY)).toBeUndefined();
    const disabled = await save({ disabled: true });
    expect(await repository.lockJob(disabled, BY)).toBeUndefined();
  });

  test('unlocked it is free again; one that runs for the last time keeps its lock, but for a stop', async () => {
    const [waiting, last] = [
      await save({ lockedAt: at(0) }),
      await save({ lockedAt: at(0), nextRunAt: null }),
    ];
    await backend.repository.unlockJob(waiting);
    await backend.repository.unlockJob(last);
    expect([(await read(waiting))?.lockedAt ?? null, (await read(last))?.lockedAt]).toEqual([null, at(0)]);

    await backend.repository.unlockJobs([last._id]);

    expect((await read(last))?.lockedAt ?? null).toBeNull();
  });

  test('what a run changes is written, what it has no more is taken away, and the rest stays', async () => {
    const saved = await save({ data: 'kept', lockedAt: at(0), failCount: 3, failReason: 'away' });
    const { failReason, lockedAt, ...run } = { ...saved, nextRunAt: at(9), lastRunAt: at(1), failCount: 0 };

    await backend.repository.saveJobState({ ...run, data: 'not written' }, { lastModifiedBy: 'host/2' });

    const found = await read(saved);
    expect(found).toMatchObject({
      data: 'kept',
      nextRunAt: at(9),
      lastRunAt: at(1),
      lastModifiedBy: 'host/2',
    });
    expect([found?.lockedAt, found?.failReason]).toEqual([undefined, undefined]);
  });

  test('a job that was removed is not made again by a run of it', async () => {
    const saved = await save();
    await backend.repository.removeJobs({ id: saved._id });

    await expect(backend.repository.saveJobState(saved, BY)).rejects.toThrow();
    await backend.repository.saveJob(saved, BY);

    expect(await read(saved)).toBeNull();
  });

  test('a job that is to be there once is: saved again it is freed, and an overdue run stays overdue', async () => {
    const single = { type: 'single', repeatInterval: 30_000 } as const;
    const first = await save({ ...single, nextRunAt: at(-9_000) });
    await lockNext();

    const again = await save({ ...single, repeatInterval: 60_000 });

    expect(again).toMatchObject({ _id: first._id, nextRunAt: at(-9_000), repeatInterval: 60_000 });
    expect(await lockNext(another)).toMatchObject({ _id: first._id });
    expect((await save({ ...single, nextRunAt: at(60_000) })).nextRunAt).toEqual(at(60_000));
    expect((await backend.repository.queryJobs()).total).toBe(1);
  });

  test('jobs are removed, disabled and enabled by id, names, other names and data; by nothing none is', async () => {
    const { repository } = backend;
    const a = await save({ name: 'a', data: { day: 1, more: { x: 1, y: 2 } } });
    for (const name of ['b', 'c', 'd']) await save({ name, data: { day: 2 } });

    expect(await repository.removeJobs({})).toBe(0);
    expect(await repository.disableJobs({})).toBe(0);
    expect(await repository.disableJobs({ data: { day: 2 } })).toBe(3);
    expect(await repository.disableJobs({ names: ['a', 'b'] })).toBe(1);
    expect(await repository.enableJobs({ notNames: ['a', 'b'] })).toBe(2);
    expect(await repository.removeJobs({ data: { more: { y: 3 } } })).toBe(0);
    expect(await repository.removeJobs({ data: { more: { y: 2 } } })).toBe(1);
    expect(await repository.removeJobs({ ids: [a._id] })).toBe(0);
    expect(await repository.removeJobs({ name: 'b' })).toBe(1);
    expect((await repository.getDistinctJobNames()).toSorted()).toEqual(['c', 'd']);
    expect(await repository.purgeAllJobs()).toBe(2);
  });

  test('jobs are listed by state, text and order, a page at a time, and counted by name', async () => {
    const { repository } = backend;
    await save({ name: 'running', lockedAt: at(0), nextRunAt: at(1) });
    await save({ name: 'repeating', repeatInterval: 1, nextRunAt: at(60_002) });
    await save({ name: 'failed', failedAt: at(0), nextRunAt: at(60_003) });
    await save({ name: 'scheduled', nextRunAt: at(60_004), disabled: true });
    await save({ name: 'queued', nextRunAt: at(-9_000) });
    const names = async (query: Parameters<typeof repository.queryJobs>[0]) =>
      (await repository.queryJobs(query)).jobs.map(({ name }) => name);

    const byNextRun = { sort: { nextRunAt: 'asc' } } as const;
    expect(await names(byNextRun)).toEqual(['queued', 'running', 'repeating', 'failed', 'scheduled']);
    expect(await repository.queryJobs({ ...byNextRun, skip: 1, limit: 2 })).toMatchObject({
      jobs: [{ name: 'running' }, { name: 'repeating' }],
      total: 5,
    });
    expect(await names({ search: 'ED', includeDisabled: false })).toEqual(['failed', 'queued']);
    for (const state of ['running', 'repeating', 'failed', 'scheduled', 'queued'] as const)
      expect(await names({ state })).toEqual([state]);
    expect(await names({ state: 'paused' })).toEqual(['scheduled']);
    const overview = await repository.getJobsOverview();
    expect(overview.find(({ name }) => name === 'scheduled')).toMatchObject({
      total: 1,
      scheduled: 1,
      paused: 1,
    });
    expect(await repository.getQueueSize()).toBe(2);
  });
});
