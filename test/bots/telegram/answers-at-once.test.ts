import { expect, test } from 'vitest';
import { TELEGRAM_LIMITS } from '../../../bots/telegram/pace-limits.ts';
import { systemClock } from '../../../src/infra/system-clock.ts';
import { TelegramLimits } from '../../support/chat/telegram-limits.ts';
import { privateText } from '../../support/chat/telegram-person.ts';
import { calls } from './telegram-calls.ts';
import { page, startTelegramFixture } from './telegram-fixture.ts';

const PEOPLE = 200;

test('200 users who write /start within a second are all answered once, in the order in which they wrote', {
  timeout: 60_000,
}, async () => {
  const { telegram, conversation, log } = await startTelegramFixture({
    clock: systemClock,
    limits: TELEGRAM_LIMITS,
  });
  const limits = new TelegramLimits(() => performance.now());
  telegram.limits = limits;
  conversation.answer = () => page('the menu');
  const people = Array.from({ length: PEOPLE }, (_, index) => ({ id: 1_000 + index }));
  for (const person of people) telegram.push(privateText(person, '/start'));
  await expect
    .poll(() => people.filter(({ id }) => telegram.messages(id).length > 0).length, {
      timeout: 50_000,
      interval: 50,
    })
    .toBe(PEOPLE);
  expect(log.filter((line) => line.includes('not answered'))).toEqual([]);
  expect(limits.refusals).toBe(0);
  expect(conversation.moves).toHaveLength(PEOPLE);
  expect(calls(telegram, 'sendMessage').map(({ payload }) => payload['chat_id'])).toEqual(
    people.map(({ id }) => id),
  );
});
