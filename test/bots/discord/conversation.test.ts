import { describe, expect, test } from 'vitest';
import { startDiscordFixture } from '../../support/chat/discord-driver.ts';
import { EPHEMERAL } from '../../support/chat/discord-wire.ts';
import { eventually } from '../../support/chat/driver.ts';
import { KEY, page, secretPage } from '../../support/chat/scripted-conversation.ts';

const CALLBACK = /^POST \/interactions/;
const ANSWER = /^PATCH \/webhooks/;

describe('a conversation on Discord', () => {
  test.each(['guild', 'dm'] as const)('in a %s every answer is for the person’s eyes only', async (place) => {
    const { person } = await startDiscordFixture();
    const ann = person('ann', place);
    const moves = ['start', 'key', 'link'].map((name) => () => ann.command(name));
    const taps = ['Get a key', 'Done, hide it', 'Rename'].map((label) => () => ann.tap(label));
    for (const move of [...moves, () => ann.command('start'), ...taps]) {
      await move();
      expect(ann.newest()?.flags).toBe(EPHEMERAL);
    }
  });

  test('a sticker or a file without words is answered, once a minute', async () => {
    const { standIn, conversation } = await startDiscordFixture();
    const ann = { id: standIn.snowflake(), name: 'ann' };
    for (const text of ['', '', 'hello']) standIn.write(ann, text, 'dm');
    await eventually(() => conversation.moves.map(({ move }) => move.kind)).toEqual(['content', 'text']);
  });

  test('a text is never answered with a key, as that message would stay', async () => {
    const { standIn, person, conversation } = await startDiscordFixture();
    conversation.answer = (move) => (move.kind === 'text' ? secretPage() : page('ok'));
    standIn.write({ id: standIn.snowflake(), name: 'ann' }, 'key please', 'dm');
    await eventually(() => conversation.moves).toHaveLength(1);
    await person('bob').command('start');
    expect([...standIn.messages.values()].map(({ content }) => content).join()).not.toContain(KEY);
    expect(conversation.shownScreens).toEqual([]);
  });

  test('a key whose message Discord did not take is not confirmed', async () => {
    const { standIn, person, conversation } = await startDiscordFixture();
    standIn.fault(ANSWER, { status: 404, code: 10_015 });
    const ann = person('ann');
    ann.sendCommand('key');
    await ann.command('start');
    expect(conversation.moves).toHaveLength(2);
    expect(conversation.shownScreens).toEqual([]);
  });

  test('a key is replaced by its button, and what took its place stays', async () => {
    const { standIn, person, clock } = await startDiscordFixture();
    const ann = person('ann');
    await ann.command('key');
    const id = ann.newest()?.id ?? '';
    await clock.asleep();
    await ann.tap('Done, hide it');
    expect(standIn.messages.get(id)?.content).toBe('Hidden.');
    await eventually(() => clock.sleepers).toBe(0);
    await clock.advance(600_000);
    expect(standIn.calls.filter(({ method }) => method === 'DELETE')).toEqual([]);
  });
});

describe('faults of Discord', () => {
  test.each([
    ['the interaction is over', 10_062, 404],
    ['another process answered it', 40_060, 400],
    ['the call is refused', 50_013, 403],
  ])('when %s nothing is issued, since it could not be shown', async (_, code, status) => {
    const { standIn, person, conversation } = await startDiscordFixture();
    standIn.fault(CALLBACK, { status, code });
    person('ann').sendCommand('key');
    await person('bob').command('start');
    expect(conversation.moves.map(({ visitor }) => visitor.name)).toEqual(['bob']);
  });

  test('an answer is given again after a fault and after a rate limit', async () => {
    const { standIn, person, conversation } = await startDiscordFixture();
    standIn.fault(ANSWER, { status: 503 });
    standIn.fault(ANSWER, { status: 429, retryAfter: 0.01 });
    expect((await person('ann').command('key')).text).toBe(KEY);
    await eventually(() => conversation.shownScreens).toHaveLength(1);
    expect(conversation.moves).toHaveLength(1);
  });
});
