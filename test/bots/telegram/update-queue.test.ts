import { expect, test } from 'vitest';
import { MOST_WAITING, UpdateQueue } from '../../../bots/telegram/update-queue.ts';
import { createRecordingLogger } from '../../support/recording-logger.ts';

function openQueue() {
  const logger = createRecordingLogger();
  const ends = Promise.withResolvers<void>();
  const abort = new AbortController();
  const handled: string[] = [];
  const drops: true[] = [];
  const queue = new UpdateQueue({
    logger,
    metrics: { chatUpdateDropped: () => void drops.push(true) },
    signal: abort.signal,
  });
  const push = (chat: number, name = String(chat)) =>
    queue.run(chat, async () => {
      handled.push(name);
      await ends.promise;
    });
  return { push, end: ends.resolve, abort, handled, lines: logger.lines, drops };
}

const RUNNING = 200;
const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test('above 5,000 waiting people the newest gets no answer, which is counted and logged', async () => {
  const { push, end, handled, lines, drops } = openQueue();
  const taken = range(RUNNING + MOST_WAITING).map((chat) => push(chat));
  for (const chat of [900_001, 900_002, 900_003]) await push(chat);
  end();
  await Promise.all(taken);
  expect(handled).toHaveLength(RUNNING + MOST_WAITING);
  expect(drops).toHaveLength(3);
  expect(lines).toHaveLength(3);
  expect(lines[0]).toMatchObject({ level: 'warn', fields: { waiting: 5_000 } });
});

test('an update of a group does not wait for people', async () => {
  const { push, end, handled } = openQueue();
  const taken = range(RUNNING + 1).map((chat) => push(chat));
  taken.push(push(-100, 'group'));
  await expect.poll(() => handled).toContain('group');
  expect(handled).not.toContain(String(RUNNING + 1));
  end();
  await Promise.all(taken);
});

test('of more than eight updates of one person the newest is handled last; the others are dropped and counted, without a line in the log', async () => {
  const { push, end, handled, lines, drops } = openQueue();
  const taken = range(30).map((number) => push(1, String(number)));
  end();
  await Promise.all(taken);
  expect(handled).toEqual([...range(8), 30].map(String));
  expect(drops).toHaveLength(21);
  expect(lines).toEqual([]);
});

test('what waits when the bot ends is not begun', async () => {
  const { push, end, abort, handled } = openQueue();
  const taken = range(RUNNING + 10).map((chat) => push(chat));
  await expect.poll(() => handled.length).toBe(RUNNING);
  abort.abort();
  end();
  await Promise.all(taken);
  expect(handled).toHaveLength(RUNNING);
});
