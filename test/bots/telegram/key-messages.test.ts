import { GrammyError } from 'grammy';
import { expect, onTestFinished, test, vi } from 'vitest';
import { KeyMessages } from '../../../bots/telegram/key-messages.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/core/base/time/duration.ts';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { createFakeClock } from '../../support/clock.ts';
import { asTheService, recordingLogger } from '../../support/recording-logger.ts';
import { START } from '../../support/rows.ts';

/** The loop of a process, whose deletions fail as given, in turn. */
async function openLoop(failures: readonly unknown[] = []) {
  const database = await openDatabase('sqlite::memory:');
  const { keyMessages: store } = database;
  const clock = createFakeClock(START);
  const { logger, log } = recordingLogger();
  const left = [...failures];
  const deletions: string[] = [];
  const deleteMessage = async (chat: number | string, message: number) => {
    deletions.push(`${chat}:${message} at ${(clock.now() - START) / SECOND_MS} s`);
    const failure = left.shift();
    if (failure !== undefined) throw failure;
    return true as const;
  };
  const messages = new KeyMessages({
    store,
    bot: 'telegram',
    api: { deleteMessage },
    clock,
    logger: asTheService(logger),
  });
  const stop = new AbortController();
  const running = messages.run(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await running;
    await database.close();
  });
  return { store, clock, log, deletions, messages };
}

function refusal(code: number, description: string, retryAfter = 0): GrammyError {
  const parameters = { retry_after: retryAfter };
  return new GrammyError('', { ok: false, error_code: code, description, parameters }, 'deleteMessage', {});
}

const DOWN = refusal(502, 'Bad Gateway');

test('a removal that fails is repeated after 1, 2, 4, 8 and then every 10 minutes', async () => {
  const { clock, store, deletions, messages } = await openLoop([DOWN, DOWN, DOWN, DOWN, DOWN, DOWN]);
  await messages.add({ chat: 7, message: 1 }, 'r');
  await clock.asleep();

  await clock.advance(HOUR_MS);

  expect(deletions.map((each) => Number(each.split(' ')[2]) / 60)).toEqual([10, 11, 13, 17, 25, 35, 45]);
  expect(await store.next('telegram', 1)).toEqual([]);
});

test('those of one chat are removed immediately; one that fails keeps its row, and other chats keep theirs', async () => {
  const { store, messages, log } = await openLoop([undefined, DOWN]);
  await messages.add({ chat: 7, message: 1 }, 'r1');
  await messages.add({ chat: 7, message: 2 }, 'r2');
  await messages.add({ chat: 77, message: 1 }, 'r3');

  await messages.removeInChat('7');

  const left = (await store.next('telegram', 10)).map(({ messageRef }) => messageRef);
  expect(left).toEqual(['7:2', '77:1']);
  // The chat is the person's id.
  expect(log.join()).not.toContain('7:2');
});

test('one that Telegram refuses for 48 hours is logged, with its message, and given up', async () => {
  const { clock, store, log, deletions, messages } = await openLoop(Array(400).fill(DOWN));
  await messages.add({ chat: 7, message: 1 }, 'r');
  await clock.asleep();

  await clock.advance(49 * HOUR_MS);

  expect(await store.next('telegram', 1)).toEqual([]);
  expect(Number(deletions.at(-1)?.split(' ')[2])).toBeLessThan((48 * HOUR_MS) / SECOND_MS);
  expect(log.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'warn', message: 'removal of a message with a key failed; retrying' },
    { level: 'error', message: 'message with a key stays: not removed in 48 h' },
  ]);
});

test.each(['message to delete not found', 'MESSAGE_ID_INVALID'])(
  'a message that Telegram does not know any more (%s) is done with',
  async (description) => {
    const { clock, store, log, messages } = await openLoop([refusal(400, `Bad Request: ${description}`)]);
    await messages.add({ chat: 7, message: 1 }, 'r');
    await clock.asleep();

    await clock.advance(10 * MINUTE_MS);

    expect(await store.next('telegram', 1)).toEqual([]);
    expect(log).toEqual([]);
  },
);

test('a flood wait is waited for, and delays no other message', async () => {
  const { clock, store, deletions, messages } = await openLoop([refusal(429, 'Too Many Requests', 90)]);
  for (const message of [1, 2]) await messages.add({ chat: 7, message }, 'r');
  await clock.asleep();

  await clock.advance(12 * MINUTE_MS);

  expect(deletions).toEqual(['7:1 at 600 s', '7:2 at 600 s', '7:1 at 690 s']);
  expect(await store.next('telegram', 1)).toEqual([]);
});

test('a database that does not answer stops the removals, is logged once, and they are made when it answers', async () => {
  const { clock, store, log, messages } = await openLoop();
  await messages.add({ chat: 7, message: 1 }, 'r');
  await clock.asleep();
  const next = vi.spyOn(store, 'next').mockRejectedValue(new Error('no answer'));

  await clock.advance(11 * MINUTE_MS);
  next.mockRestore();
  await clock.advance(10 * SECOND_MS);

  expect(await store.next('telegram', 1)).toEqual([]);
  expect(log).toHaveLength(1);
});
