import { describe, expect, test } from 'vitest';
import type { AdminConsole } from '../../../bots/shared/conversation.ts';
import { plainText, unknownCommand } from '../../../bots/shared/screen.ts';
import { operatorOnlyConversation } from '../../../src/wiring/telegram.ts';
import { privateText } from '../../support/chat/telegram-person.ts';
import {
  ANNA,
  answeringConversation,
  eventually,
  KEY,
  openTelegramFixture,
  page,
  secretPage,
  startTelegramFixture,
} from './telegram-fixture.ts';

const OPERATOR = { id: 99, username: 'op' };

/** Knows `/totals` and `/provision`, from the operator. */
function operatorConsole(): AdminConsole & { readonly actors: unknown[] } {
  const actors: unknown[] = [];
  return {
    actors,
    commands: [{ name: 'totals', description: 'Totals', argument: null }],
    isOperator: ({ userId }) => userId === '99',
    async move(actor, move) {
      actors.push(actor);
      if (actor.userId !== '99' || move.kind !== 'command') return null;
      if (move.name === 'provision') return secretPage();
      return move.name === 'totals' ? page('all is well') : null;
    },
  };
}

test('the page of the bot, to which posts lead, is known once Telegram has named it', async () => {
  const { bot } = await openTelegramFixture();
  expect(bot.profileUrl()).toBeNull();
  await bot.start();
  await eventually(() => bot.profileUrl()).toBe('https://t.me/tipoff_test_bot');
});

describe('the operator on the public bot', () => {
  test('commands of the operator go to the console, all others to the conversation', async () => {
    const console = operatorConsole();
    const { telegram, conversation } = await startTelegramFixture({ console });
    telegram.push(privateText(OPERATOR, '/totals'));
    telegram.push(privateText(OPERATOR, '/start'));
    await telegram.answered('sendMessage', 2);
    expect(telegram.messages(99)[0]?.text).toBe('all is well');
    expect(conversation.moves.map(({ move }) => move)).toEqual([
      { kind: 'command', name: 'start', argument: '' },
    ]);
    expect(console.actors[0]).toEqual({ platform: 'telegram', userId: '99', name: 'op', roleIds: [] });
  });

  test('for a stranger they are commands like any other', async () => {
    const { telegram, conversation } = await startTelegramFixture({ console: operatorConsole() });
    telegram.push(privateText(ANNA, '/totals'));
    await telegram.answered('sendMessage');
    expect(conversation.moves).toHaveLength(1);
  });

  test('a key for the operator can be copied and goes away like any other, and is no matter of the conversation', async () => {
    const { telegram, conversation, clock } = await startTelegramFixture({ console: operatorConsole() });
    telegram.push(privateText(OPERATOR, '/provision'));
    await telegram.answered('editMessageText');
    await clock.asleep();
    expect(telegram.messages(99)).toMatchObject([{ text: KEY, isProtected: false }]);
    expect(telegram.messages(99)[0]?.buttons[0]).toMatchObject({ copy_text: { text: KEY } });
    await clock.advance(600_000);
    await telegram.answered('deleteMessage');
    expect(conversation.shownScreens).toEqual([]);
  });

  test('the menu has the commands of the conversation for all users, and those of the console for the operator too', async () => {
    const { telegram } = await startTelegramFixture({ console: operatorConsole() });
    await telegram.answered('setMyCommands', 2);
    const menus = telegram.calls.filter(({ method }) => method === 'setMyCommands');
    expect(menus.map(({ payload }) => payload)).toEqual([
      {
        commands: [command('start', 'The menu'), command('key', 'A key')],
        scope: { type: 'all_private_chats' },
      },
      {
        commands: [command('start', 'The menu'), command('key', 'A key'), command('totals', 'Totals')],
        scope: { type: 'chat', chat_id: 99 },
      },
    ]);
  });

  test('the menu of an operator who has not written yet is set when the operator writes', async () => {
    const { telegram, log } = await openTelegramFixture({ console: operatorConsole() }).then(
      async (fixture) => {
        fixture.telegram.unknownChats.add('99');
        await fixture.bot.start();
        await fixture.telegram.answered('setMyCommands', 2);
        return fixture;
      },
    );
    await eventually(() => log.filter((line) => line.includes('not set for an operator'))).toHaveLength(1);

    telegram.unknownChats.delete('99');
    telegram.push(privateText(ANNA, '/start'));
    telegram.push(privateText(OPERATOR, '/start'));
    await telegram.answered('setMyCommands', 3);
    telegram.push(privateText(OPERATOR, '/totals'));
    await telegram.answered('sendMessage', 3);

    const menus = telegram.calls.filter(({ method }) => method === 'setMyCommands');
    expect(menus).toHaveLength(3);
    expect(menus[2]?.payload).toEqual(menus[1]?.payload);
  });

  test('a menu that is refused stops nothing', async () => {
    const { telegram, conversation } = await startTelegramFixture({ console: operatorConsole() });
    telegram.failAlways('setMyCommands', { code: 400, description: 'Bad Request: chat not found' });
    telegram.push(privateText(ANNA, 'hello'));
    await eventually(() => conversation.moves).toHaveLength(1);
  });
});

describe('a bot for the operator alone', () => {
  test('gives the operator the console, and all other moves the same answer', async () => {
    const { telegram } = await startTelegramFixture({
      console: operatorConsole(),
      conversation: operatorOnlyConversation,
    });
    telegram.push(privateText(OPERATOR, '/totals'));
    await telegram.answered('sendMessage', 1);
    const words = ['/totals', '/provision', '/start', '/nothing', 'hello', KEY];
    for (const line of words) telegram.push(privateText(ANNA, line));
    telegram.push(privateText(OPERATOR, '/nothing'));
    await telegram.answered('sendMessage', 2 + words.length);
    expect(telegram.messages(99)[0]?.text).toBe('all is well');
    const answers = [...telegram.messages(ANNA.id), ...telegram.messages(99).slice(1)];
    const shown = answers.map(({ text, buttons }) => JSON.stringify([text, buttons]));
    expect(new Set(shown).size).toBe(1);
    expect(answers[0]?.text).toBe(plainText(unknownCommand()));
  });
});

function command(name: string, description: string) {
  return { command: name, description };
}

describe('help for the operator on the public bot', () => {
  const helpConsole: AdminConsole = {
    commands: [
      { name: 'help', description: 'Operator help', argument: null },
      { name: 'totals', description: 'Totals', argument: null },
    ],
    isOperator: ({ userId }) => userId === '99',
    move: async (actor, move) =>
      actor.userId === '99' && move.kind === 'command' ? page(`console ${move.name} ${move.argument}`) : null,
  };

  function helpConversation() {
    const commands = [{ name: 'help', description: 'What I can do', argument: null }];
    return {
      ...answeringConversation(),
      commands,
      move: async () => ({ ...page('user help'), name: 'help' }),
    };
  }

  test('/help is the users’, and says that /admin lists the operator’s; a stranger’s names no /admin', async () => {
    const { telegram } = await startTelegramFixture({
      console: helpConsole,
      conversation: helpConversation(),
    });
    for (const who of [OPERATOR, ANNA]) telegram.push(privateText(who, '/help'));
    telegram.push(privateText(OPERATOR, '/admin find x'));
    await telegram.answered('sendMessage', 3);
    expect(telegram.messages(99)[0]?.text).toContain('user help');
    expect(telegram.messages(99)[0]?.text).toContain('/admin lists your commands');
    expect(telegram.messages(99)[1]?.text).toBe('console admin find x');
    expect(telegram.messages(ANNA.id).map(({ text }) => text)).toEqual(['user help']);
  });
});
