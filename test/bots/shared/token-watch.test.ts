import { expect, onTestFinished, test } from 'vitest';
import type { ConnectionStatus } from '../../../bots/shared/chat-bot.ts';
import { TokenWatch } from '../../../bots/shared/token-watch.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/core/base/time/duration.ts';
import type { NewChatMessage } from '../../../src/core/chat/chat-message.ts';
import { settle } from '../../support/chat/chat-engine-fixture.ts';
import { createFakeClock } from '../../support/clock.ts';
import { createRecordingLogger } from '../../support/recording-logger.ts';
import { START } from '../../support/rows.ts';

const REFUSED: ConnectionStatus = { state: 'refused', detail: '401' };
const FAILING: ConnectionStatus = { state: 'failing', detail: 'no answer' };
const RUNNING: ConnectionStatus = { state: 'running', detail: null };

/** A watch over a Telegram bot, with an operator on each platform and an outbox that takes an id once. */
function openWatch() {
  const clock = createFakeClock(START);
  const logger = createRecordingLogger();
  const added: NewChatMessage[] = [];
  let status = RUNNING;
  let isAway = false;
  let stop = new AbortController();
  const deps = {
    operators: [
      { platform: 'telegram', id: '1' },
      { platform: 'discord', id: '2' },
      { platform: 'discord', id: '3' },
    ] as const,
    outbox: {
      async add(messages: readonly NewChatMessage[]) {
        if (isAway) throw new Error('away');
        const fresh = messages.filter(({ id }) => added.every((known) => known.id !== id));
        added.push(...fresh);
        return fresh.map(({ id }) => id);
      },
    },
    clock,
    logger,
  } satisfies ConstructorParameters<typeof TokenWatch>[0];
  function start(): void {
    stop = new AbortController();
    const bot = { name: 'telegram', platform: 'telegram', status: () => status } as const;
    void new TokenWatch(deps).run([bot], stop.signal);
  }
  start();
  onTestFinished(() => stop.abort());
  return {
    added,
    logger,
    restart() {
      stop.abort();
      start();
    },
    async stands(next: ConnectionStatus, ms = MINUTE_MS) {
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

test('each operator on the other platform gets one message about a refused token, and one about its end', async () => {
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
});

const kinds = (added: readonly NewChatMessage[], operator = 'operator:discord:2') =>
  added.filter(({ recipient }) => recipient === operator).map(({ kind }) => kind);
const PAIR = ['token_refused', 'token_accepted'];

test('a token that is refused and accepted every other minute gives one pair of messages in a UTC hour', async () => {
  const watch = openWatch();
  for (let minute = 0; minute < 180; minute += 2) {
    await watch.stands(REFUSED);
    await watch.stands(RUNNING);
  }
  expect(kinds(watch.added)).toEqual([...PAIR, ...PAIR, ...PAIR]);
});

test.each([
  { pair: 'was stored', isAway: false },
  { pair: 'waited for the outbox', isAway: true },
])('an outage that began after its hour’s pair $pair is reported in the next hour', async ({ isAway }) => {
  const watch = openWatch();
  watch.setAway(isAway);
  for (const status of [REFUSED, RUNNING, REFUSED]) await watch.stands(status);
  watch.setAway(false);
  await watch.stands(REFUSED, 56 * MINUTE_MS);
  expect(kinds(watch.added)).toEqual(PAIR);
  await watch.stands(REFUSED, HOUR_MS);
  expect(kinds(watch.added)).toEqual([...PAIR, 'token_refused']);
  expect(watch.added.at(-1)?.facts).toMatchObject({ since: START + 2 * MINUTE_MS + SECOND_MS });
  await watch.stands(RUNNING);
  expect(kinds(watch.added)).toEqual([...PAIR, ...PAIR]);
});

test('an outage longer than an hour is reported once', async () => {
  const watch = openWatch();
  await watch.stands(REFUSED, 3 * HOUR_MS);
  await watch.stands(RUNNING);
  expect(kinds(watch.added)).toEqual(PAIR);
});

test('restarts in an outage do not report it again in the same hour, and its end is reported', async () => {
  const watch = openWatch();
  for (let restarts = 0; restarts < 5; restarts += 1) {
    await watch.stands(REFUSED);
    watch.restart();
  }
  await watch.stands(REFUSED);
  await watch.stands(RUNNING);
  expect(kinds(watch.added)).toEqual(PAIR);
});

test('the end of an outage that was never stored is not reported', async () => {
  const watch = openWatch();
  for (const status of [REFUSED, RUNNING, REFUSED]) await watch.stands(status);
  watch.restart();
  for (const status of [REFUSED, RUNNING]) await watch.stands(status);
  expect(kinds(watch.added)).toEqual(PAIR);
});

test('what waits for the outbox is one pair of messages in a UTC hour, too', async () => {
  const watch = openWatch();
  watch.setAway(true);
  for (let minute = 0; minute < 130; minute += 2) {
    await watch.stands(REFUSED);
    await watch.stands(RUNNING);
  }
  watch.setAway(false);
  await watch.stands(RUNNING);
  expect(kinds(watch.added)).toEqual([...PAIR, ...PAIR, ...PAIR]);
});

test('an outage of another kind is not reported', async () => {
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
    'messages about a refused token not stored; retrying',
  ]);
});
