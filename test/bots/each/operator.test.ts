import { expect, test } from 'vitest';
import type { Actor, AdminConsole } from '../../../bots/shared/conversation.ts';
import { plainScreen, plainText, unknownCommand } from '../../../bots/shared/screen.ts';
import { OPERATOR_ROLE } from '../../support/chat/discord-wire.ts';
import { eventually } from '../../support/chat/driver.ts';
import { onEachBot } from '../../support/chat/each-bot.ts';
import { KEY, page, scriptedConversation, secretPage } from '../../support/chat/scripted-conversation.ts';
import { OPERATOR } from '../../support/chat/telegram-fixture.ts';

const isOperator = ({ userId, roleIds }: Actor) =>
  userId === String(OPERATOR.id) || roleIds.includes(OPERATOR_ROLE);

function operatorConsole(): AdminConsole & { readonly actors: Actor[] } {
  const actors: Actor[] = [];
  return {
    actors,
    commands: [{ name: 'find', description: 'Finds', argument: null }],
    isOperator,
    async move(actor, move) {
      actors.push(actor);
      if (!isOperator(actor)) return null;
      if (move.kind === 'tap') return move.action === 'admin:ban' ? plainScreen('ban', ['Sure?'], []) : null;
      // On Telegram the console gets the whole line.
      const line = move.kind === 'command' ? `${move.name} ${move.argument}`.replace(/^admin /, '') : '';
      if (line.startsWith('find ')) return page('Found.', [[{ label: 'Ban', action: 'admin:ban' }]]);
      if (line.toLowerCase() === 'help /find') return page('Finds people.');
      return line.trim() === 'provision' ? secretPage() : null;
    },
  };
}

function conversationWithHelp() {
  const conversation = scriptedConversation();
  const { answer } = conversation;
  conversation.answer = (move, visitor) => {
    if (move.kind !== 'command')
      return move.kind === 'tap' && /^admin:/.test(move.action) ? unknownCommand() : answer(move, visitor);
    if (move.name === 'help') return { ...page('What I can do'), name: 'help' };
    return move.name === 'start' ? answer(move, visitor) : unknownCommand();
  };
  return {
    ...conversation,
    commands: [...conversation.commands, { name: 'help', description: 'Help', argument: null }],
  };
}

onEachBot('the operator', (open, platform) => {
  const openConsole = async () => {
    const console = operatorConsole();
    return { ...(await open({ console, conversation: conversationWithHelp() })), console };
  };
  const unknown = { text: plainText(unknownCommand()), buttons: ['Menu', 'Help'] };

  test('gives commands to the console, others and their buttons to the conversation', async () => {
    const { operator, console } = await openConsole();
    const op = operator();
    expect(await op.command('admin', 'find @ann smith')).toEqual({ text: 'Found.', buttons: ['Ban'] });
    expect(console.actors[0]).toEqual({
      ...{ platform, userId: op.id, name: 'op' },
      roleIds: platform === 'discord' ? [OPERATOR_ROLE] : [],
    });
    expect((await op.tap('Ban')).text).toBe('Sure?');
    expect((await op.command('start')).text).toBe('Hello.');
    expect(await op.command('admin', 'fnid @ann')).toEqual(unknown);
  });

  test('gets the users’ /help with a line about /admin; a stranger’s does not name it', async () => {
    const { operator, person } = await openConsole();
    expect((await operator().command('help')).text).toContain('/admin lists your commands');
    expect((await person('ann').command('help')).text).toBe('What I can do');
  });

  test.each(['find @ann', 'provision', 'nonsense', ''])(
    'alone is answered: a stranger’s "/admin %s" is an unknown command',
    async (line) => {
      const { person } = await openConsole();
      const ann = person('ann');
      expect(await ann.command('admin', line)).toEqual(unknown);
      expect(await ann.command('nonsense')).toEqual(unknown);
    },
  );

  test('gets a key that goes away like any other, without the conversation', async () => {
    const { operator, conversation, clock } = await openConsole();
    const op = operator();
    expect((await op.command('admin', 'provision')).text).toBe(KEY);
    await clock.asleep();
    await clock.advance(600_000);
    await eventually(() => op.messages()).toEqual([]);
    expect(conversation.shownScreens).toEqual([]);
  });
});
