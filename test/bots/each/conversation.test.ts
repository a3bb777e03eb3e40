import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { eventually } from '../../support/chat/driver.ts';
import { onEachBot } from '../../support/chat/each-bot.ts';
import { KEY, page, secretPage } from '../../support/chat/scripted-conversation.ts';

onEachBot('a conversation', (open, platform) => {
  test('is led by commands, buttons and lines of text', async () => {
    const { conversation, person } = await open();
    const ann = person('ann');
    expect(await ann.command('start')).toEqual({ text: 'Hello.', buttons: ['Get a key'] });
    expect(await ann.tap('Get a key')).toEqual({ text: KEY, buttons: ['Done, hide it'] });
    expect(await ann.tap('Done, hide it')).toEqual({ text: 'Hidden.', buttons: ['Rename'] });
    expect(await ann.tap('Rename')).toEqual({ text: 'Which name?', buttons: ['Keep it'] });
    await ann.type('My bot');
    await ann.command('link', 'AB12');
    const visitor = { platform, userId: ann.id, name: 'ann', chat: ann.id };
    expect(conversation.moves.slice(-2)).toEqual([
      { visitor, move: { kind: 'text', text: 'My bot' } },
      { visitor, move: { kind: 'command', name: 'link', argument: 'AB12' } },
    ]);
  });

  test('changes the message whose button was pressed', async () => {
    const { person } = await open();
    const ann = person('ann');
    await ann.command('start');
    await ann.command('hide');
    await ann.tap('Rename');
    expect(ann.messages().map(({ text }) => text)).toEqual(['Hello.', 'Which name?']);
  });

  test('shows a screen that is too long in several messages, the buttons below the last', async () => {
    const { conversation, person } = await open();
    const paragraphs = Array.from({ length: 9 }, (_, index) => [String(index).repeat(1_000)]);
    conversation.answer = () => ({ ...page(''), body: paragraphs });
    const ann = person('ann');
    ann.send('/start');
    await eventually(() => ann.messages().at(-1)?.buttons).toEqual(['Next']);
    const texts = ann.messages().map(({ text }) => text);
    expect(texts.length).toBeGreaterThan(2);
    expect(texts.join('\n\n')).toBe(paragraphs.flat().join('\n\n'));
    expect(ann.messages().flatMap(({ buttons }) => buttons)).toEqual(['Next']);
  });

  test('removes a message with a secret where the platform allows it, and says whether it did', async () => {
    const { conversation, person, calls } = await open();
    conversation.answer = () => ({ ...page('Yours.'), removesMessage: true });
    const { text } = await person('ann').type('my secret');
    const said = {
      telegram: 'I have deleted your message.',
      discord: 'I cannot delete your message here: delete it yourself.',
    };
    expect(text).toBe(`Yours.\n\n${said[platform]}`);
    expect(calls('remove')).toBe(platform === 'telegram' ? 1 : 0);
  });

  test('handles moves of one person one after the other, those of others meanwhile', async () => {
    const { conversation, person } = await open();
    const gate = Promise.withResolvers<void>();
    const order: string[] = [];
    conversation.answer = async (move, { name }) => {
      order.push(`${name} begins`);
      if (order.length === 1) await gate.promise;
      order.push(`${name} ends`);
      return page(move.kind);
    };
    const [ann, ben] = [person('ann'), person('ben')];
    for (const line of ['/key', '/start']) ann.send(line);
    await ben.command('start');
    gate.resolve();
    await eventually(() => order).toEqual([
      ...['ann begins', 'ben begins', 'ben ends', 'ann ends', 'ann begins', 'ann ends'],
    ]);
  });

  test('takes a move that the platform delivers twice once', async () => {
    const { conversation, person } = await open();
    person('ann').send('/key', 2);
    await person('ben').command('start');
    expect(conversation.moves.map(({ visitor }) => visitor.name)).toEqual(['ann', 'ben']);
  });

  test('knows the bot’s page, which posts link to, once the platform has named it', async () => {
    const { bot } = await open({ isStarted: false });
    expect(bot.status().url).toBeNull();
    await bot.start();
    await eventually(() => bot.status().url).toMatch(/^https:\/\/(t\.me|discord\.com\/users)\/\w+$/);
  });

  describe('with a key', () => {
    test('leaves no buttons on the choice that led to it', async () => {
      const { person } = await open();
      const ann = person('ann');
      await ann.command('start');
      await ann.tap('Get a key');
      const buttons = () => ann.messages().flatMap((message) => message.buttons);
      await eventually(buttons).toEqual(['Done, hide it']);
    });

    test('confirms it once the platform took its message, and removes it after 10 minutes', async () => {
      const { person, clock, conversation } = await open();
      const ann = person('ann');
      await ann.command('key');
      await eventually(() => conversation.shownScreens).toEqual([secretPage()]);
      await clock.asleep();
      await clock.advance(599_999);
      expect(ann.messages().map(({ text }) => text)).toEqual([KEY]);
      await clock.advance(1);
      await eventually(() => ann.messages()).toEqual([]);
    });

    test('removes it immediately when its person is erased', async () => {
      const { bot, person, conversation } = await open();
      const ann = person('ann');
      await ann.command('key');
      await eventually(() => conversation.shownScreens).toHaveLength(1);
      await bot.removeKeyMessages({ userId: ann.id, chat: ann.id });
      expect(ann.messages()).toEqual([]);
    });
  });
});

onEachBot('the start of a bot', (open) => {
  test('whose token is refused is tried again after 1 minute, later each time up to 15, until it is taken', async () => {
    const { bot, clock, fail, calls, log } = await open({ isStarted: false });
    const waits = [1, 2, 4, 8, 15, 15];
    fail('start', 'token refused', waits.length);
    await bot.start();
    for (const [round, minutes] of waits.entries()) {
      await eventually(() => calls('start')).toBe(round + 1);
      await clock.asleep();
      expect(bot.status()).toMatchObject({
        state: 'refused',
        detail: expect.stringMatching(/401|Unauthorized/),
      });
      await clock.advance(minutes * MINUTE_MS - 1);
      expect([clock.sleepers, calls('start')]).toEqual([1, round + 1]);
      await clock.advance(1);
    }
    await eventually(() => bot.status().state).toBe('running');
    expect(log.join('\n')).toMatch(/TELEGRAM_BOT_TOKEN|DISCORD_TOKEN/);
    expect(log.join('\n')).not.toMatch(/AAE-abc|token-for-tests/);
  });
});

onEachBot('the end of a bot', (open) => {
  test('finishes moves in progress, takes no new ones, and leaves no timer', async () => {
    const { bot, conversation, person, clock } = await open();
    const gate = Promise.withResolvers<void>();
    await person('ben').command('key');
    conversation.answer = async () => {
      await gate.promise;
      return page('late');
    };
    const ann = person('ann');
    ann.send('/start');
    await eventually(() => conversation.moves).toHaveLength(2);
    const closed = bot.close();
    person('eve').send('/start');
    gate.resolve();
    await closed;
    expect(ann.messages().at(-1)?.text).toBe('late');
    expect(conversation.moves).toHaveLength(2);
    expect(clock.sleepers).toBe(0);
    expect(bot.status().state).toBe('stopped');
  });

  test('waits at most 5 seconds for moves in progress', async () => {
    const { bot, conversation, person, clock } = await open();
    conversation.answer = () => new Promise(() => {});
    person('ann').send('/start');
    await eventually(() => conversation.moves).toHaveLength(1);
    const closed = bot.close();
    await clock.asleep();
    await clock.advance(5_000);
    await closed;
    expect(clock.sleepers).toBe(0);
  });

  test('before it was started asks nothing, and may come twice', async () => {
    const { bot, allCalls } = await open({ isStarted: false });
    await bot.close();
    await bot.close();
    expect(bot.status().state).toBe('stopped');
    expect(allCalls()).toBe(0);
  });
});
