import { expect, test } from 'vitest';
import { createKeyedSemaphore } from '../../../src/infra/webhooks/keyed-semaphore.ts';

const never = new AbortController().signal;
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('so many have room under a name, the next wait, and who came first goes first', async () => {
  const slots = createKeyedSemaphore(2);
  const turns: string[] = [];
  for (const who of ['a', 'b', 'c', 'd']) void slots.take('x', never).then(() => turns.push(who));
  await settle();
  expect(turns).toEqual(['a', 'b']);
  slots.free('x');
  await settle();
  expect(turns).toEqual(['a', 'b', 'c']);
  slots.free('x');
  await settle();
  expect(turns).toEqual(['a', 'b', 'c', 'd']);
});

test('names do not share their room', async () => {
  const slots = createKeyedSemaphore(1);
  await slots.take('x', never);
  await slots.take('y', never);
});

test('whoever gives up rejects with the reason, and takes no room later', async () => {
  const slots = createKeyedSemaphore(1);
  await slots.take('x', never);
  const impatient = new AbortController();
  const waiting = slots.take('x', impatient.signal);
  impatient.abort(new Error('late'));
  await expect(waiting).rejects.toThrow('late');
  slots.free('x');
  await slots.take('x', never);
});

test('room that was given in the moment of giving up goes to the next', async () => {
  const slots = createKeyedSemaphore(1);
  await slots.take('x', never);
  const impatient = new AbortController();
  const waiting = slots.take('x', impatient.signal);
  impatient.abort(new Error('late'));
  slots.free('x');
  await expect(waiting).rejects.toThrow('late');
  await slots.take('x', never);
});
