import { afterEach, describe, expect, test } from 'vitest';
import { type DiscordRig, openDiscordRig, untilState } from '../../support/chat/discord-driver.ts';
import { createScriptedDesk, SECRET } from '../../support/chat/scripted-desk.ts';

let rig: DiscordRig;
afterEach(() => rig.close());

async function open(desk = createScriptedDesk(), deps = {}) {
  rig = await openDiscordRig(() => desk, deps);
  await rig.bot.start();
  await untilState(rig.bot, 'running');
  return desk;
}

describe('a conversation on Discord', () => {
  test('a command, a button and a form lead through the desk', async () => {
    const desk = await open();
    const ann = rig.person('ann');
    expect(await ann.command('start')).toEqual({ text: 'Hello.', buttons: ['Get a key'] });
    expect(await ann.tap('Get a key')).toEqual({ text: `Your key: ${SECRET}`, buttons: ['Hide'] });
    expect(await ann.tap('Hide')).toEqual({ text: 'Hidden.', buttons: ['Rename'] });
    expect(await ann.tap('Rename')).toEqual({ text: 'Which name?', buttons: ['Keep it'] });
    expect(await ann.type('My bot')).toEqual({ text: 'You wrote.', buttons: [] });
    expect(desk.moves.at(-1)?.move).toEqual({ kind: 'text', text: 'My bot' });
    expect(desk.confirmed).toEqual(['request-1']);
  });
});
