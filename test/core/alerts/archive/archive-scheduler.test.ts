import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { AlertStore } from '../../../../src/core/alerts/alert-store.ts';
import {
  ArchiveScheduler,
  CALLER_READS,
  type ScheduleRead,
  scheduledAlerts,
} from '../../../../src/core/alerts/archive/archive-scheduler.ts';
import { createFakeClock } from '../../../support/clock.ts';
import { countingSchedule } from '../../../support/schedules.ts';

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
  expect(await refusalsOf(archive.forCaller({ name: 'key:1' }).searches, CALLER_READS.total + 3)).toBe(3);
  expect(await refusalsOf(archive.forCaller({ name: 'key:2' }).searches, CALLER_READS.total)).toBe(0);
  expect(await refusalsOf(archive.own, 1_500)).toBe(0);
  expect(await refusalsOf(archive.refresh.searches, 1_500)).toBe(0);
});

test('all addresses without a key together are served as one key is, in round robin among themselves', async () => {
  const archive = new ArchiveScheduler({ archiveConcurrency: 1 }, createFakeClock(0));
  const order: string[] = [];
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const read = (name: string, isPublic: boolean) =>
    archive.forCaller({ name, isPublic }).searches(async () => void order.push(name));
  const first = archive.forCaller({ name: 'key:1' }).searches(() => gate);
  const addresses = ['ip:1', 'ip:1', 'ip:1', 'ip:1', 'ip:2', 'ip:2'].map((name) => read(name, true));
  const keys = ['key:2', 'key:2'].map((name) => read(name, false));
  open();
  await Promise.all([first, ...addresses, ...keys]);
  const ofAddresses = ['ip:1', 'ip:1', 'ip:1', 'ip:2', 'ip:1', 'ip:2'];
  expect(order.filter((name) => name.startsWith('ip'))).toEqual(ofAddresses);
  // One read of the group, whatever the address, between two of a key.
  expect(order.slice(0, 4).filter((name) => name === 'key:2')).toHaveLength(2);
});

test('many addresses run no more at a time than one key, and each is refused above its own limit', async () => {
  const archive = new ArchiveScheduler({ archiveConcurrency: 8 }, createFakeClock(0));
  let running = 0;
  const hang = () => {
    running += 1;
    return forever();
  };
  for (let address = 0; address < 20; address += 1)
    void archive.forCaller({ name: `ip:${address}`, isPublic: true }).searches(hang);
  const { searches } = archive.forCaller({ name: 'ip:0', isPublic: true });
  expect(await refusalsOf(searches, CALLER_READS.total)).toBe(1);
  expect(running).toBe(CALLER_READS.running);
  expect(await archive.forCaller({ name: 'key:1' }).searches(async () => 'answered')).toBe('answered');
});

test('figures wait for no search, not even of their own caller', async () => {
  const archive = new ArchiveScheduler({ archiveConcurrency: 1 }, createFakeClock(0));
  const { searches, figures } = archive.forCaller({ name: 'key:1' });
  expect(await refusalsOf(searches, CALLER_READS.total)).toBe(0);
  expect(await figures(async () => 'answered')).toBe('answered');
  expect(await archive.refresh.figures(async () => 'refreshed')).toBe('refreshed');
});

test('every archive read of scheduled alerts is scheduled, and other reads are not', async () => {
  const { schedule, calls } = countingSchedule();
  const store = ['search', 'summaries', 'hotMarkets', 'stats', 'preview', 'byId'].map((name) => [
    name,
    async () => name,
  ]);
  const alerts = scheduledAlerts(Object.fromEntries(store) as AlertStore, schedule);
  const page = { page: 1, pageSize: 1 };
  const answers = [
    ...[
      await alerts.search({}, page),
      await alerts.summaries({}, page),
      await alerts.hotMarkets({ since: 0, limit: 1 }),
    ],
    ...[await alerts.stats({ dayStart: 0 }), await alerts.preview({ since: 0, until: 1 }, { newest: 1 })],
  ];
  expect(answers).toEqual(['search', 'summaries', 'hotMarkets', 'stats', 'preview']);
  expect(calls()).toBe(5);
  await alerts.byId(1);
  expect(calls()).toBe(5);
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
    archive.forCaller({ name: 'key:1' }).searches(reader('first')),
    archive.forCaller({ name: 'key:2' }).searches(reader('second')),
  ].map((read) => read.catch(({ name }: Error) => name));
  await clock.advance(4_000);
  const later = archive.forCaller({ name: 'key:3' }).searches(reader('third'));
  await clock.advance(500);

  expect(await Promise.all(reads)).toEqual(['DatabaseTimeout', 'DatabaseTimeout']);
  expect(started).toEqual(['first']);
  end('late');
  expect(await later).toBe('third');
  expect(started).toEqual(['first', 'third']);
});

test('a read that begins while the archive is being opened may wait for 50 s, and later ones for 4.5 s', async () => {
  const clock = createFakeClock(0);
  const archive = new ArchiveScheduler({ archiveConcurrency: 2 }, clock);
  const { promise: loaded, resolve: finish } = Promise.withResolvers<string>();
  const opening = archive.open(() => loaded);
  const { searches } = archive.forCaller({ name: 'key:1' });
  const late = searches(forever).catch(({ message }: Error) => message);
  await clock.advance(49_999);
  finish('answered');
  await opening;
  expect(await archive.forCaller({ name: 'key:2' }).searches(() => loaded)).toBe('answered');
  const afterwards = searches(forever).catch(({ message }: Error) => message);
  await clock.advance(4_500);
  expect([await late, await afterwards]).toEqual([
    'no answer from the archive within 50000 ms',
    'no answer from the archive within 4500 ms',
  ]);
});

test('pages of all addresses are made three at a time, round robin, and take no place from searches', async () => {
  const archive = new ArchiveScheduler({ archiveConcurrency: 1 }, createFakeClock(0));
  const order: string[] = [];
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const make = (name: string) => {
    const { pages, searches } = archive.forCaller({ name, isPublic: true });
    return pages(async () => {
      order.push(name);
      await gate;
      await searches(async () => {});
    });
  };
  const pages = ['ip:1', 'ip:1', 'ip:1', 'ip:1', 'ip:1', 'ip:2', 'ip:3'].map(make);
  expect(await archive.forCaller({ name: 'key:1' }).searches(async () => 'answered')).toBe('answered');
  expect(order).toEqual(['ip:1', 'ip:1', 'ip:1']);
  open();
  await Promise.all(pages);
  expect(order.slice(3)).toEqual(['ip:1', 'ip:2', 'ip:3', 'ip:1']);
});
