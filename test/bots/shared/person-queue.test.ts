import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { PersonQueue } from '../../../bots/shared/person-queue.ts';

/** Work that begins in order and ends when the test says so. */
function openWork() {
  const begun: number[] = [];
  const gate = Promise.withResolvers<void>();
  const task = (number: number) => async () => {
    begun.push(number);
    await gate.promise;
  };
  return { begun, task, finish: gate.resolve };
}

test('of a flood of one person the first tasks run and the last one follows; those between are skipped', async () => {
  const queue = new PersonQueue({ tasksPerCaller: 8 });
  const { begun, task, finish } = openWork();
  const all = Array.from({ length: 30 }, (_, index) => queue.run(task(index + 1), { caller: 'ann' }));
  await setImmediate();
  expect(begun).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  finish();
  await Promise.all(all);
  expect(begun).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 30]);
});

test('the flood of one person keeps no task of another', async () => {
  const queue = new PersonQueue({ tasksPerCaller: 1 });
  const { begun, task, finish } = openWork();
  const all = [queue.run(task(1), { caller: 'ann' }), queue.run(task(2), { caller: 'ann' })];
  all.push(queue.run(task(3), { caller: 'ben' }));
  await setImmediate();
  expect(begun).toEqual([1, 3]);
  finish();
  await Promise.all(all);
  expect(begun).toEqual([1, 3, 2]);
});

test('a task that fails rejects for its caller, and the one kept back still runs', async () => {
  const queue = new PersonQueue({ tasksPerCaller: 1 });
  const first = queue.run(() => Promise.reject(new Error('no answer')), { caller: 'ann' });
  const second = queue.run(async () => {}, { caller: 'ann' });
  await expect(first).rejects.toThrow('no answer');
  await second;
});

test('a caller who is never refused keeps every task', async () => {
  const queue = new PersonQueue({ tasksPerCaller: 1 });
  const { begun, task, finish } = openWork();
  const options = { caller: 'group', isRefusable: false };
  const all = [1, 2, 3].map((number) => queue.run(task(number), options));
  finish();
  await Promise.all(all);
  expect(begun).toEqual([1, 2, 3]);
});
