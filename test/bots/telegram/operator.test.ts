import { describe, expect, test } from 'vitest';
import type { AdminConsole } from '../../../bots/shared/conversation.ts';
import { plainText, unknownCommand } from '../../../bots/shared/screen.ts';
import { operatorOnlyConversation } from '../../../src/wiring/telegram.ts';
import { eventually } from '../../support/chat/driver.ts';
import { KEY, page, SCRIPTED_COMMANDS } from '../../support/chat/scripted-conversation.ts';
import {
  ANNA,
  calls,
  OPERATOR,
  openTelegramFixture,
  startTelegramFixture,
} from '../../support/chat/telegram-fixture.ts';
import { privateText } from '../../support/chat/telegram-person.ts';

/** Knows `/totals`; a command of the conversation hides its `/start`. */
const console: AdminConsole = {
  commands: ['totals', 'start'].map((name) => ({ name, description: 'Totals', argument: null })),
  isOperator: ({ userId }) => userId === String(OPERATOR.id),
  move: async (actor, move) =>
    actor.userId === String(OPERATOR.id) && move.kind === 'command' && move.name === 'totals'
      ? page('all is well')
      : null,
};

describe('the menu on Telegram', () => {
  test('has the commands of the conversation for all users, and those of the console for the operator too', async () => {
    const { telegram } = await startTelegramFixture({ console });
    await telegram.answered('setMyCommands', 2);
    const all = SCRIPTED_COMMANDS.map(({ name, description }) => ({ command: name, description }));
    expect(calls(telegram, 'setMyCommands').map(({ payload }) => payload)).toEqual([
      { commands: all, scope: { type: 'all_private_chats' } },
      {
        commands: [...all, { command: 'totals', description: 'Totals' }],
        scope: { type: 'chat', chat_id: OPERATOR.id },
      },
    ]);
  });

  test('of an operator who has not written yet is set when the operator writes', async () => {
    const { telegram, bot, log } = await openTelegramFixture({ console });
    await bot.start();
    await eventually(() => log.filter((line) => line.includes('not set for an operator'))).toHaveLength(1);

    telegram.push(privateText(ANNA, '/start'));
    telegram.push(privateText(OPERATOR, '/start'));
    await telegram.answered('setMyCommands', 3);
    telegram.push(privateText(OPERATOR, '/totals'));
    await telegram.answered('sendMessage', 3);

    const menus = calls(telegram, 'setMyCommands');
    expect(menus).toHaveLength(3);
    expect(menus[2]?.payload).toEqual(menus[1]?.payload);
  });
});

test('a bot for the operator alone gives the operator the console, and all other moves the same answer', async () => {
  const { telegram } = await startTelegramFixture({ console, conversation: operatorOnlyConversation });
  telegram.push(privateText(OPERATOR, '/totals'));
  await telegram.answered('sendMessage', 1);
  const words = ['/totals', '/provision', '/start', '/nothing', 'hello', KEY];
  for (const line of words) telegram.push(privateText(ANNA, line));
  telegram.push(privateText(OPERATOR, '/nothing'));
  await telegram.answered('sendMessage', 2 + words.length);
  expect(telegram.messages(OPERATOR.id)[0]?.text).toBe('all is well');
  const answers = [...telegram.messages(ANNA.id), ...telegram.messages(OPERATOR.id).slice(1)];
  expect(new Set(answers.map(({ text, buttons }) => JSON.stringify([text, buttons]))).size).toBe(1);
  expect(answers[0]?.text).toBe(plainText(unknownCommand()));
});
