import { expect, onTestFinished, test } from 'vitest';
import type { BotStatus } from '../../../bots/shared/chat-bot.ts';
import { TokenWatch } from '../../../bots/shared/token-watch.ts';
import type { NewChatMessage } from '../../../src/core/chat/chat-message.ts';
import { MINUTE_MS, SECOND_MS } from '../../../src/core/duration.ts';
import { settle } from '../../support/chat/chat-house.ts';
import { createFakeClock } from '../../support/clock.ts';
import { createRecordingLogger } from '../../support/recording-logger.ts';
import { START } from '../../support/rows.ts';

const REFUSED: BotStatus = { state: 'refused', detail: '401' };
const FAILING: BotStatus = { state: 'failing', detail: 'no answer' };
const RUNNING: BotStatus = { state: 'running', detail: null };

/** A watch over a Telegram bot, with an operator on each platform. */
function openWatch() {
  const clock = createFakeClock(START);
  const logger = createRecordingLogger();
  const stop = new AbortController();
  const added: NewChatMessage[] = [];
  let status = RUNNING;
  let isAway = false;
  const watch = new TokenWatch({
    operators: [
      { platform: 'telegram', id: '1' },
      { platform: 'discord', id: '2' },
      { platform: 'discord', id: '3' },
    ],
    outbox: {
      async add(messages) {
        if (isAway) throw new Error('away');
        added.push(...messages);
        return [];
      },
    },
    clock,
    logger,
  });
  void watch.run([{ name: 'telegram', platform: 'telegram', status: () => status }], stop.signal);
  onTestFinished(() => stop.abort());
  return {
    added,
    logger,
    async stands(next: BotStatus, ms = MINUTE_MS) {
      status = next;
      for (let passed = 0; passed < ms; passed += SECOND_MS) {
        await clock.advance(SECOND_MS);
        await settle();
      }
    },
    setAway: (value: boolean) => {
      isAway = value;
    },
  };
}

const summary = (added: readonly NewChatMessage[]) =>
  added.map(({ kind, recipient }) => `${kind} ${recipient}`);

test('each operator on the other platform is told of a refused token once, and once of its end', async () => {
  const watch = openWatch();
  await watch.stands(RUNNING);
  expect(watch.added).toEqual([]);
  for (const status of [REFUSED, FAILING, REFUSED]) await watch.stands(status);
  const refused = ['token_refused operator:discord:2', 'token_refused operator:discord:3'];
  expect(summary(watch.added)).toEqual(refused);

  await watch.stands(RUNNING);

  const accepted = ['token_accepted operator:discord:2', 'token_accepted operator:discord:3'];
  expect(summary(watch.added)).toEqual([...refused, ...accepted]);
  const first = START + MINUTE_MS + SECOND_MS;
  expect(watch.added.at(-1)?.facts).toEqual({ bot: 'telegram', since: first, until: first + 3 * MINUTE_MS });

  await watch.stands(REFUSED);

  expect(summary(watch.added.slice(4))).toEqual(refused);
  expect(new Set(watch.added.map(({ id }) => id)).size).toBe(6);
});

test('an outage of another kind is not told', async () => {
  const watch = openWatch();
  for (const status of [FAILING, RUNNING]) await watch.stands(status);
  expect(watch.added).toEqual([]);
});

test('what the outbox does not take is put there when it answers again', async () => {
  const watch = openWatch();
  watch.setAway(true);
  await watch.stands(REFUSED);
  await watch.stands(RUNNING);
  watch.setAway(false);
  await watch.stands(RUNNING, SECOND_MS);
  expect(watch.added.map(({ kind }) => kind)).toEqual([
    'token_refused',
    'token_refused',
    'token_accepted',
    'token_accepted',
  ]);
  expect(watch.logger.lines.map(({ message }) => message)).toEqual([
    'the operator cannot be told of a refused token; trying again',
  ]);
});
