import { expect, test, vi } from 'vitest';
import { Inbox } from '../../../bots/shared/inbox.ts';

test('an event that is delivered twice is handled once, also while the first is handled', async () => {
  const inbox = new Inbox();
  const handle = vi.fn(async () => {});
  await Promise.all([inbox.take('1', handle), inbox.take('1', handle)]);
  await inbox.take('1', handle);
  expect(handle).toHaveBeenCalledOnce();
});

test('an event without an id is handled each time', async () => {
  const inbox = new Inbox();
  const handle = vi.fn(async () => {});
  await inbox.take(null, handle);
  await inbox.take(null, handle);
  expect(handle).toHaveBeenCalledTimes(2);
});

test('a drained inbox takes no event, and the drain waits for the running ones', async () => {
  const inbox = new Inbox();
  const running = Promise.withResolvers<void>();
  const handle = vi.fn(() => running.promise);
  const taken = inbox.take('1', handle);
  const drained = vi.fn();
  const drain = inbox.drain().then(drained);
  await inbox.take('2', handle);
  expect(handle).toHaveBeenCalledOnce();
  expect(drained).not.toHaveBeenCalled();
  running.resolve();
  await Promise.all([taken, drain]);
  expect(drained).toHaveBeenCalledOnce();
});
