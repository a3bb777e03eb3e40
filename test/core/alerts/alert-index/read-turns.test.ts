import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { CALLER_READS, ReadTurns } from '../../../../src/core/alerts/alert-index/read-turns.ts';
import { createFakeClock } from '../../../support/clock.ts';

const forever = () => new Promise<never>(() => {});
const { signal } = new AbortController();
const keyed = (name: string) => ({ name, isPublic: false, signal });
const unkeyed = (name: string) => ({ name, isPublic: true, signal });

/** Refusals come within a turn of the loop; a read that waits settles later or never. */
async function refusalsOf(turns: ReadTurns, reader: ReturnType<typeof keyed>, count: number) {
  let refusals = 0;
  for (let asked = 0; asked < count; asked += 1)
    turns.take(forever, reader).catch(() => {
      refusals += 1;
    });
  await setImmediate();
  return refusals;
}

test.each([keyed, unkeyed])(
  'reads of a caller above its limit are refused, and those of others are not',
  async (of) => {
    const turns = new ReadTurns(createFakeClock(0));
    expect(await refusalsOf(turns, of('1'), CALLER_READS.total + 3)).toBe(3);
    expect(await refusalsOf(turns, of('2'), CALLER_READS.total)).toBe(0);
  },
);

test('reads without a key are made three at a time, in round robin over their addresses, and take no place from keys', async () => {
  const turns = new ReadTurns(createFakeClock(0));
  const order: string[] = [];
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const pages = ['ip:1', 'ip:1', 'ip:1', 'ip:1', 'ip:1', 'ip:2', 'ip:3'].map((name) =>
    turns.take(async () => {
      order.push(name);
      await gate;
    }, unkeyed(name)),
  );
  expect(await turns.take(async () => 'answered', keyed('key:1'))).toBe('answered');
  expect(order).toEqual(['ip:1', 'ip:1', 'ip:1']);
  open();
  await Promise.all(pages);
  expect(order.slice(3)).toEqual(['ip:1', 'ip:2', 'ip:3', 'ip:1']);
});

test('a caller has an answer or a timeout within 4.5 s, waiting included; a read that waited is never started', async () => {
  const clock = createFakeClock(0);
  const turns = new ReadTurns(clock);
  const started: string[] = [];
  const reader = (name: string) => () => {
    started.push(name);
    return forever();
  };
  const reads = ['first', 'second', 'third'].map((name) => turns.take(reader(name), keyed('key:1')));
  const ends = reads.map((read) => read.catch(({ name }: Error) => name));
  await clock.advance(4_500);

  expect(await Promise.all(ends)).toEqual(['DatabaseTimeout', 'DatabaseTimeout', 'DatabaseTimeout']);
  expect(started).toEqual(['first', 'second']);
});
