import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { AlertStore } from '../../../src/core/alerts/alert-store.ts';
import type { ScheduleRead } from '../../../src/core/archive/archive-scheduler.ts';
import {
  ArchiveScheduler,
  CALLER_READS,
  scheduledAlerts,
} from '../../../src/core/archive/archive-scheduler.ts';
import { createFakeClock } from '../../support/clock.ts';
import { countingSchedule } from '../../support/schedules.ts';

const forever = () => new Promise<never>(() => {});
/** Refusals come within a turn of the loop; a read that waits settles later or never. */
async function refusalsOf(schedule: ScheduleRead, count: number): Promise<number> {
  let refusals = 0;
  for (let asked = 0; asked < count; asked += 1)
    schedule(forever).catch(() => {
      refusals += 1;
    });
  await setImmediate();
  return refusals;
}

test('reads of a caller above its limit are refused; those of the service and refreshes never are', async () => {
  const archive = new ArchiveScheduler({ archiveConcurrency: 8 }, createFakeClock(0));
  expect(await refusalsOf(archive.forCaller('key:1'), CALLER_READS.total + 3)).toBe(3);
  expect(await refusalsOf(archive.forCaller('key:2'), CALLER_READS.total)).toBe(0);
  expect(await refusalsOf(archive.own, 1_500)).toBe(0);
  expect(await refusalsOf(archive.refresh, 1_500)).toBe(0);
});

test('the service is served round robin like one of its callers', async () => {
  const archive = new ArchiveScheduler({ archiveConcurrency: 1 }, createFakeClock(0));
  const order: string[] = [];
  const reader = (name: string) => async () => void order.push(name);
  const [own, caller, refresh] = [archive.own, archive.forCaller('key:1'), archive.refresh];
  const reads = [own, own, own, caller, caller, refresh].map((schedule, index) =>
    schedule(reader(`${schedule === own ? 'own' : schedule === caller ? 'caller' : 'refresh'} ${index}`)),
  );
  await Promise.all(reads);
  expect(order).toEqual(['own 0', 'own 1', 'caller 3', 'refresh 5', 'own 2', 'caller 4']);
});

test('every archive read of scheduled alerts is scheduled, and other reads are not', async () => {
  const { schedule, calls } = countingSchedule();
  const store = ['search', 'hotMarkets', 'stats', 'preview', 'byId'].map((name) => [name, async () => name]);
  const alerts = scheduledAlerts(Object.fromEntries(store) as AlertStore, schedule);
  const page = { page: 1, pageSize: 1 };
  const answers = [
    ...[await alerts.search({}, page), await alerts.hotMarkets({ since: 0, limit: 1 })],
    ...[await alerts.stats({ dayStart: 0 }), await alerts.preview({ since: 0, until: 1 }, { newest: 1 })],
  ];
  expect(answers).toEqual(['search', 'hotMarkets', 'stats', 'preview']);
  expect(calls()).toBe(4);
  await alerts.byId(1);
  expect(calls()).toBe(4);
});

test('a caller has an answer or a timeout within 4.5 s, waiting included; a read that waited is never started', async () => {
  const clock = createFakeClock(0);
  const archive = new ArchiveScheduler({ archiveConcurrency: 1 }, clock);
  const { promise: hangs, resolve: end } = Promise.withResolvers<string>();
  const started: string[] = [];
  const reader = (name: string) => async () => {
    started.push(name);
    return name === 'first' ? hangs : name;
  };
  const reads = [
    archive.forCaller('key:1')(reader('first')),
    archive.forCaller('key:2')(reader('second')),
  ].map((read) => read.catch(({ name }: Error) => name));
  await clock.advance(4_000);
  const later = archive.forCaller('key:3')(reader('third'));
  await clock.advance(500);

  expect(await Promise.all(reads)).toEqual(['DatabaseTimeout', 'DatabaseTimeout']);
  expect(started).toEqual(['first']);
  end('late');
  expect(await later).toBe('third');
  expect(started).toEqual(['first', 'third']);
});
