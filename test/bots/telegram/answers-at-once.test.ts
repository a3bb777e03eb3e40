import { expect, test } from 'vitest';
import { TELEGRAM_LIMITS } from '../../../bots/telegram/pacer.ts';
import { systemClock } from '../../../src/infra/process/system-clock.ts';
import { page } from '../../support/chat/scripted-conversation.ts';
import { startTelegramFixture } from '../../support/chat/telegram-fixture.ts';
import { TelegramLimits } from '../../support/chat/telegram-limits.ts';
import { privateText } from '../../support/chat/telegram-person.ts';

const PEOPLE = 200;
const PATIENCE = { timeout: 50_000, interval: 50 };

test('200 users who write /start within a second are all answered once, although Telegram takes 30 messages a second', {
  timeout: 60_000,
}, async () => {
  const { telegram, conversation, log } = await startTelegramFixture({
    clock: systemClock,
    limits: TELEGRAM_LIMITS,
  });
  telegram.limits = new TelegramLimits(() => performance.now());
  conversation.answer = () => page('the menu');
  const people = Array.from({ length: PEOPLE }, (_, index) => ({ id: 1_000 + index }));
  for (const person of people) telegram.push(privateText(person, '/start'));
  const messages = () => people.map(({ id }) => telegram.messages(id).length);
  await expect.poll(messages, PATIENCE).toEqual(people.map(() => 1));
  expect(log.filter((line) => line.includes('not answered'))).toEqual([]);
  expect(conversation.moves.map(({ visitor }) => Number(visitor.userId))).toEqual(people.map(({ id }) => id));
});
