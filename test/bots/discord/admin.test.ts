import { afterEach, describe, expect, test } from 'vitest';
import type { Actor, AdminConsole, Move } from '../../../bots/shared/conversation.ts';
import { plainScreen, plainText, unknownCommand } from '../../../bots/shared/screen.ts';
import { type DiscordRig, openDiscordRig, untilState } from '../../support/chat/discord-driver.ts';
import { EPHEMERAL, OPERATOR_ROLE } from '../../support/chat/discord-wire.ts';
import { createScriptedConversation } from '../../support/chat/scripted-conversation.ts';

let rig: DiscordRig;
afterEach(() => rig.close());

/** A console for users with the operator's role: `find` and what its button leads to. */
function createConsole(): AdminConsole & { readonly moves: { actor: Actor; move: Move }[] } {
  const moves: { actor: Actor; move: Move }[] = [];
  const found = plainScreen('found', ['Found.'], [[{ label: 'Ban', action: 'admin:ban' }]]);
  return {
    commands: [{ name: 'find', description: 'Finds', argument: null }],
    moves,
    isOperator: ({ roleIds }) => roleIds.includes(OPERATOR_ROLE),
    async move(actor, move) {
      moves.push({ actor, move });
      if (!actor.roleIds.includes(OPERATOR_ROLE)) return null;
      if (move.kind === 'command' && move.name === 'find') return found;
      return move.kind === 'tap' && move.action === 'admin:ban' ? plainScreen('ban', ['Sure?'], []) : null;
    },
  };
}

async function open() {
  const [admin, conversation] = [
    createConsole(),
    createScriptedConversation({ help: plainScreen('help', ['What I can do'], []) }),
  ];
  rig = await openDiscordRig(() => conversation, { console: admin });
  await rig.bot.start();
  await untilState(rig.bot, 'running');
  return { admin, desk: conversation };
}

const unknown = { text: plainText(unknownCommand()), buttons: ['Menu', 'Help'] };

describe('the operator on Discord', () => {
  test('gives commands behind /admin, by role, and is answered where no other user sees it', async () => {
    const { admin } = await open();
    const op = rig.person('op');
    rig.standIn.roles.set(op.id, [OPERATOR_ROLE]);
    expect(await op.command('admin', 'find @ann smith')).toEqual({ text: 'Found.', buttons: ['Ban'] });
    expect(op.newest()?.flags).toBe(EPHEMERAL);
    expect(admin.moves).toEqual([
      {
        actor: { platform: 'discord', userId: op.id, name: 'op', roleIds: [OPERATOR_ROLE] },
        move: { kind: 'command', name: 'find', argument: '@ann smith' },
      },
    ]);
  });

  test('/help names the users’ commands, and to an operator says that /admin lists the others', async () => {
    await open();
    const [op, ann] = [rig.person('op'), rig.person('ann')];
    rig.standIn.roles.set(op.id, [OPERATOR_ROLE]);
    expect((await op.command('help')).text).toContain('/admin lists your commands');
    expect((await ann.command('help')).text).toBe('What I can do');
  });

  test('a button of the console leads to the console, one of the conversation to the conversation', async () => {
    await open();
    const op = rig.person('op');
    rig.standIn.roles.set(op.id, [OPERATOR_ROLE]);
    await op.command('admin', '/find x');
    expect((await op.tap('Ban')).text).toBe('Sure?');
    await op.command('start');
    expect((await op.tap('Get a key')).text).toContain('Your key');
  });

  // Issue: a stranger gets the same answer as for an unknown command.
  test.each(['find @ann', 'nonsense', ''])('a stranger’s "/admin %s" is an unknown command', async (line) => {
    await open();
    const ann = rig.person('ann');
    expect(await ann.command('admin', line)).toEqual(unknown);
    expect(await ann.command('nonsense')).toEqual(unknown);
  });

  test('a stranger who makes up a button of the console gets the conversation’s answer', async () => {
    await open();
    const ann = rig.person('ann');
    await ann.command('start');
    const on = ann.newest();
    if (on === null) throw new Error('no message');
    const outcome = await ann.press('tap0:admin:ban', on).outcome;
    expect(outcome).toMatchObject({ message: { content: plainText(unknownCommand()) } });
  });

  test('an operator’s slip is an unknown command too', async () => {
    await open();
    const op = rig.person('op');
    rig.standIn.roles.set(op.id, [OPERATOR_ROLE]);
    expect(await op.command('admin', 'fnid @ann')).toEqual(unknown);
  });
});
