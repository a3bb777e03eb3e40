import { expect, test } from 'vitest';
import { allOrNone } from '../../../../src/core/base/async/all-or-none.ts';
import { untilAborted } from '../../../../src/core/base/async/repeat.ts';

const until = (ended: string[], name: string) => async (signal: AbortSignal) => {
  await untilAborted(signal);
  ended.push(name);
};

test('works end when the caller ends them', async () => {
  const stop = new AbortController();
  const ended: string[] = [];
  const running = allOrNone(stop.signal, [until(ended, 'a'), until(ended, 'b')]);
  stop.abort();
  await running;

  expect(ended).toEqual(['a', 'b']);
});

test('when one fails the others are ended first, and then its exception is thrown', async () => {
  const ended: string[] = [];
  const failing = async () => {
    throw new Error('away');
  };

  await expect(allOrNone(new AbortController().signal, [until(ended, 'a'), failing])).rejects.toThrow('away');
  expect(ended).toEqual(['a']);
});
