import { afterEach, describe, expect, test, vi } from 'vitest';
import type { DiscordBotOptions } from '../../../bots/discord/discord-bot.ts';
import { plainScreen } from '../../../bots/shared/screen.ts';
import { type DiscordRig, openDiscordRig, untilState } from '../../support/chat/discord-driver.ts';
import { EPHEMERAL } from '../../support/chat/discord-wire.ts';
import {
  createScriptedConversation,
  SCRIPTED_COMMANDS,
  SECRET,
  scriptedSecretScreen,
} from '../../support/chat/scripted-conversation.ts';
import { createFakeClock } from '../../support/clock.ts';

const CALLBACK = /^POST \/interactions/;
const ANSWER = /^PATCH \/webhooks/;

let rig: DiscordRig;
afterEach(() => rig.close());

async function open(conversation = createScriptedConversation(), deps: Partial<DiscordBotOptions> = {}) {
  rig = await openDiscordRig(() => conversation, deps);
  await rig.bot.start();
  await untilState(rig.bot, 'running');
  return conversation;
}

const callsTo = (route: RegExp) =>
  rig.standIn.calls.filter(({ method, path }) => route.test(`${method} ${path}`));

describe('a conversation on Discord', () => {
  test('a command, buttons and a form lead through the conversation', async () => {
    const conversation = await open();
    const ann = rig.person('ann');
    expect(await ann.command('start')).toEqual({ text: 'Hello.', buttons: ['Get a key'] });
    expect(await ann.tap('Get a key')).toEqual({ text: `Your key: ${SECRET}`, buttons: ['Hide'] });
    expect(await ann.tap('Hide')).toEqual({ text: 'Hidden.', buttons: ['Rename'] });
    expect(await ann.tap('Rename')).toEqual({ text: 'Which name?', buttons: ['Keep it'] });
    expect(await ann.type('My bot')).toEqual({ text: 'You wrote.', buttons: [] });
    expect(conversation.moves.at(-1)).toEqual({
      visitor: { platform: 'discord', userId: ann.id, name: 'ann', chat: ann.id },
      move: { kind: 'text', text: 'My bot' },
    });
  });

  test('a command’s argument reaches the conversation', async () => {
    const conversation = await open();
    await rig.person('ann').command('link', 'AB12');
    expect(conversation.moves.at(-1)?.move).toEqual({ kind: 'command', name: 'link', argument: 'AB12' });
  });

  test('more buttons than Discord has rows for are a menu', async () => {
    const rows = Array.from({ length: 9 }, (_, row) => [{ label: `Key ${row}`, action: `manage:${row}` }]);
    await open(
      createScriptedConversation({
        start: plainScreen('keys', ['Keys'], rows),
        'manage:7': plainScreen('one', ['Key 7.'], []),
      }),
    );
    const ann = rig.person('ann');
    expect((await ann.command('start')).buttons).toEqual(rows.map(([button]) => button?.label));
    expect((await ann.tap('Key 7')).text).toBe('Key 7.');
  });

  test.each(['guild', 'dm'] as const)('in a %s every answer is for the person’s eyes only', async (place) => {
    await open();
    const ann = rig.person('ann', place);
    for (const { name } of SCRIPTED_COMMANDS) {
      await ann.command(name);
      expect(ann.newest()?.flags).toBe(EPHEMERAL);
    }
    await ann.command('start');
    for (const label of ['Get a key', 'Hide', 'Rename']) {
      await ann.tap(label);
      expect(ann.newest()?.flags).toBe(EPHEMERAL);
    }
  });

  test('a button on a public message of the bot is answered privately, and the message stays unchanged', async () => {
    await open();
    const view = plainScreen('leaked', ['Your key was seen.'], [[{ label: 'New key', action: 'key' }]]);
    const ann = rig.person('ann');
    const sent = await rig.bot.messenger.send({ chat: ann.id }, view, new AbortController().signal);
    const message = rig.standIn.messages.get(sent.ok ? (sent.place.split(':')[1] ?? '') : '');
    if (message === undefined) throw new Error('nothing was sent');
    const outcome = await ann.press('tap0:key', message).outcome;
    expect(outcome).toMatchObject({ kind: 'message', message: { flags: EPHEMERAL } });
    expect(rig.standIn.messages.get(message.id)?.content).toBe('Your key was seen.');
  });

  test('a text in a private chat is answered there', async () => {
    await open();
    expect(await rig.person('ann').type('hello?')).toEqual({ text: 'You wrote.', buttons: [] });
  });

  test('a sticker or a file without words is answered, once a minute', async () => {
    const conversation = await open();
    const ann = { id: rig.standIn.snowflake(), name: 'ann' };
    for (const text of ['', '', 'hello']) rig.standIn.write(ann, text, 'dm');
    await vi.waitFor(() => expect(conversation.moves).toHaveLength(2));
    expect(conversation.moves.map(({ move }) => move.kind)).toEqual(['content', 'text']);
  });

  test('a text is never answered with a key, as that message would stay', async () => {
    const conversation = await open(
      createScriptedConversation({ text: scriptedSecretScreen, start: plainScreen('s', ['ok'], []) }),
    );
    rig.standIn.write({ id: rig.standIn.snowflake(), name: 'ann' }, 'key please', 'dm');
    await vi.waitFor(() => expect(conversation.moves).toHaveLength(1));
    await rig.person('bob').command('start');
    expect([...rig.standIn.messages.values()].map(({ content }) => content).join()).not.toContain(SECRET);
    expect(conversation.confirmed).toEqual([]);
  });

  test('moves of a person come one after the other, while others are served', async () => {
    const gate = Promise.withResolvers<void>();
    const slow = async () => {
      await gate.promise;
      return plainScreen('slow', ['Slow.'], []);
    };
    const conversation = await open(createScriptedConversation({ key: slow }));
    const ann = rig.person('ann');
    const first = ann.sendCommand('key');
    const second = ann.sendCommand('start');
    await rig.person('bob').command('start');
    expect(conversation.moves.map(({ visitor }) => visitor.name)).toEqual(['ann', 'bob']);
    gate.resolve();
    expect(await Promise.all([first.outcome, second.outcome])).toMatchObject([
      { message: { content: 'Slow.' } },
      { message: { content: 'Hello.' } },
    ]);
  });
});

describe('a key on Discord', () => {
  test('is confirmed once Discord took its message', async () => {
    const conversation = await open();
    await rig.person('ann').command('key');
    await vi.waitFor(() => expect(conversation.confirmed).toEqual(['request-1']));
  });

  test('is not confirmed when Discord did not take its message', async () => {
    const conversation = await open();
    rig.standIn.fault(ANSWER, { status: 404, code: 10_015 });
    const ann = rig.person('ann');
    ann.sendCommand('key');
    await ann.command('start');
    expect(conversation.moves).toHaveLength(2);
    expect(conversation.confirmed).toEqual([]);
  });

  test('goes away after 10 minutes', async () => {
    const clock = createFakeClock(0);
    await open(createScriptedConversation(), { clock });
    const ann = rig.person('ann');
    await ann.command('key');
    const id = ann.newest()?.id ?? '';
    await clock.asleep();
    await clock.advance(599_000);
    expect(rig.standIn.messages.has(id)).toBe(true);
    await clock.advance(1_000);
    await vi.waitFor(() => expect(rig.standIn.messages.has(id)).toBe(false));
  });

  test('goes away by its button, and what took its place stays', async () => {
    const clock = createFakeClock(0);
    await open(createScriptedConversation(), { clock });
    const ann = rig.person('ann');
    await ann.command('key');
    const id = ann.newest()?.id ?? '';
    await clock.asleep();
    await ann.tap('Hide');
    expect(rig.standIn.messages.get(id)?.content).toBe('Hidden.');
    await vi.waitFor(() => expect(clock.sleepers).toBe(0));
    await clock.advance(600_000);
    expect(callsTo(/^DELETE/)).toEqual([]);
  });
});

describe('faults of Discord', () => {
  test('a command that Discord delivers twice is one move', async () => {
    const conversation = await open();
    const ann = rig.person('ann');
    const { id } = ann.sendCommand('key');
    rig.standIn.repeat(id);
    await rig.person('bob').command('start');
    expect(conversation.moves.map(({ move }) => move.kind === 'command' && move.name)).toEqual([
      'key',
      'start',
    ]);
    expect(callsTo(CALLBACK)).toHaveLength(2);
  });

  test.each([
    ['the interaction is over', 10_062, 404],
    ['another process answered it', 40_060, 400],
    ['the call is refused', 50_013, 403],
  ])('when %s nothing is issued, as nothing could be shown', async (_, code, status) => {
    const conversation = await open();
    rig.standIn.fault(CALLBACK, { status, code });
    rig.person('ann').sendCommand('key');
    await rig.person('bob').command('start');
    expect(conversation.moves.map(({ visitor }) => visitor.name)).toEqual(['bob']);
  });

  test('an answer is given again after a fault and after a rate limit', async () => {
    const conversation = await open();
    rig.standIn.fault(ANSWER, { status: 503 });
    rig.standIn.fault(ANSWER, { status: 429, retryAfter: 0.01 });
    expect((await rig.person('ann').command('key')).text).toContain(SECRET);
    await vi.waitFor(() => expect(conversation.confirmed).toEqual(['request-1']));
    expect(conversation.moves).toHaveLength(1);
  });

  test('a screen that is too long is cut, and one that Discord does not take is plain', async () => {
    const local = [[{ label: 'Docs', url: 'http://localhost:8080/docs' }]];
    await open(
      createScriptedConversation({
        start: plainScreen('long', ['x'.repeat(5_000)], []),
        key: plainScreen('docs', [[{ bold: 'Read' }]], local),
      }),
    );
    const ann = rig.person('ann');
    expect((await ann.command('start')).text).toHaveLength(2_000);
    expect(await ann.command('key')).toEqual({
      text: 'Read\n\n\nDocs: http://localhost:8080/docs',
      buttons: [],
    });
  });
});
