import { describe, expect, test } from 'vitest';
import { privateTap, privateText } from '../../support/chat/telegram-person.ts';
import { COPY, calls, newest } from './telegram-calls.ts';
import { ANNA, BEN, eventually, KEY, page, secretPage, startTelegramFixture } from './telegram-fixture.ts';

describe('private chat on Telegram', () => {
  test('a command goes to the conversation, and its screen comes as a message with buttons', async () => {
    const { telegram, conversation } = await startTelegramFixture();
    telegram.push(privateText(ANNA, '/start@tipoff_test_bot key'));
    await telegram.answered('sendMessage');
    expect(conversation.moves).toEqual([
      {
        visitor: { platform: 'telegram', userId: '11', name: 'anna', chat: '11' },
        move: { kind: 'command', name: 'start', argument: 'key' },
      },
    ]);
    expect(newest(telegram)).toMatchObject({
      text: expect.stringContaining('heard'),
      buttons: [{ text: 'Next', callback_data: 'next' }],
      isProtected: false,
    });
  });

  test('a tap is acknowledged and changes the message it is under', async () => {
    const { telegram, conversation } = await startTelegramFixture();
    conversation.answer = (move) => page(move.kind);
    telegram.push(privateText(ANNA, 'hello'));
    await telegram.answered('sendMessage');
    telegram.push(privateTap(ANNA, newest(telegram), 'next'));
    await telegram.answered('editMessageText');
    await telegram.answered('answerCallbackQuery');
    expect(telegram.messages(11).map(({ text }) => text)).toEqual(['tap']);
    expect(conversation.moves.map(({ move }) => move)).toEqual([
      { kind: 'text', text: 'hello' },
      { kind: 'tap', action: 'next' },
    ]);
  });

  test('a screen that is there already, and a tap too old to be acknowledged, are no failures', async () => {
    const { telegram, conversation, log } = await startTelegramFixture();
    conversation.answer = () => page('same');
    telegram.push(privateText(ANNA, 'hello'));
    await telegram.answered('sendMessage');
    telegram.fail('answerCallbackQuery', {
      code: 400,
      description: 'Bad Request: query is too old and response timeout expired or query ID is invalid',
    });
    telegram.push(privateTap(ANNA, newest(telegram), 'next'));
    telegram.push(privateText(ANNA, 'more'));
    await telegram.answered('sendMessage', 2);
    expect(calls(telegram, 'sendMessage')).toHaveLength(2);
    expect(log.filter((line) => /"level":"(warn|error)"/.test(line))).toEqual([]);
  });

  test('a message that cannot be edited any more is followed by a new one', async () => {
    const { telegram } = await startTelegramFixture();
    telegram.push(privateText(ANNA, 'hello'));
    await telegram.answered('sendMessage');
    telegram.fail('editMessageText', { code: 400, description: "Bad Request: message can't be edited" });
    telegram.push(privateTap(ANNA, newest(telegram), 'next'));
    await telegram.answered('sendMessage', 2);
    expect(telegram.messages(11)).toHaveLength(2);
  });

  test('markup in what people wrote is shown as it is', async () => {
    const { telegram, conversation } = await startTelegramFixture();
    conversation.answer = () => page('<b>5 < 6 & "7"</b>');
    telegram.push(privateText(ANNA, 'hello'));
    await telegram.answered('sendMessage');
    expect(newest(telegram).text).toBe('<b>5 < 6 & "7"</b>');
  });

  test('a message whose markup is refused comes as plain text', async () => {
    const { telegram, conversation } = await startTelegramFixture();
    conversation.answer = secretPage;
    telegram.fail('editMessageText', {
      code: 400,
      description: "Bad Request: can't parse entities: nothing",
    });
    telegram.push(privateText(ANNA, '/key'));
    await telegram.answered('editMessageText', 2);
    expect(newest(telegram)).toMatchObject({
      text: KEY,
      buttons: [COPY, { text: 'Done, hide it' }],
    });
    expect(calls(telegram, 'editMessageText').at(-1)?.payload).not.toHaveProperty('parse_mode');
  });

  test('an address that Telegram takes in no button is written out', async () => {
    const { telegram, conversation } = await startTelegramFixture();
    const address = { label: 'Docs', url: 'http://localhost:3000/docs?a=1&b=2' };
    conversation.answer = () => page('read', [[address, { label: 'Menu', action: 'start' }]]);
    telegram.push(privateText(ANNA, 'hello'));
    await telegram.answered('sendMessage', 2);
    expect(newest(telegram)).toMatchObject({
      text: 'read\n\nDocs: http://localhost:3000/docs?a=1&b=2',
      buttons: [{ text: 'Menu' }],
    });
  });

  test('a screen that is too long comes in several messages, the buttons below the last', async () => {
    const { telegram, conversation } = await startTelegramFixture();
    const paragraphs = Array.from({ length: 9 }, (_, index) => [String(index).repeat(1_000)]);
    conversation.answer = () => ({ ...page(''), body: paragraphs });
    telegram.push(privateText(ANNA, 'hello'));
    await telegram.answered('sendMessage', 3);
    const messages = telegram.messages(11);
    expect(messages.map(({ text }) => text).join('\n\n')).toBe(paragraphs.flat().join('\n\n'));
    expect(messages.map(({ buttons }) => buttons.length)).toEqual([0, 0, 1]);
  });

  test('updates of one person are handled one after another, those of different people concurrently', async () => {
    const { telegram, conversation } = await startTelegramFixture();
    const order: string[] = [];
    const gate = Promise.withResolvers<void>();
    conversation.answer = async (move, { name }) => {
      order.push(`${name} ${'text' in move ? move.text : ''} begins`);
      if (name === 'anna' && order.length === 1) await gate.promise;
      order.push(`${name} ${'text' in move ? move.text : ''} ends`);
      return page('done');
    };
    telegram.push(privateText(ANNA, '1'));
    telegram.push(privateText(ANNA, '2'));
    telegram.push(privateText(BEN, '3'));
    await telegram.answered('sendMessage');
    gate.resolve();
    await telegram.answered('sendMessage', 3);
    expect(order).toEqual([
      'anna 1 begins',
      'ben 3 begins',
      'ben 3 ends',
      'anna 1 ends',
      'anna 2 begins',
      'anna 2 ends',
    ]);
  });

  test('an update that is delivered twice is handled once', async () => {
    const { telegram, conversation } = await startTelegramFixture();
    telegram.push(privateText(ANNA, 'once'), 2);
    telegram.push(privateText(ANNA, 'after'));
    await telegram.answered('sendMessage', 2);
    expect(conversation.moves.map(({ move }) => move)).toEqual([
      { kind: 'text', text: 'once' },
      { kind: 'text', text: 'after' },
    ]);
  });

  test('an update that was taken is confirmed with the next poll', async () => {
    const { telegram } = await startTelegramFixture();
    const id = telegram.push(privateText(ANNA, 'hello'));
    const polls = () => calls(telegram, 'getUpdates').map(({ payload }) => payload['offset']);
    await eventually(polls).toEqual([0, id + 1]);
  });

  test.each([
    [
      'forwarded from another user',
      { forward_origin: { type: 'hidden_user', sender_user_name: 'Ben', date: 1 } },
    ],
    [
      'written by an inline bot',
      { via_bot: { id: 7, is_bot: true, first_name: 'Inline', username: 'inline_bot' } },
    ],
  ])('a command that was %s is no command', async (_, author) => {
    const { telegram, conversation } = await startTelegramFixture();
    const { message } = privateText(ANNA, '/ban ben') as { readonly message: object };
    telegram.push({ message: { ...message, ...author } });
    await telegram.answered('sendMessage');
    expect(conversation.moves.map(({ move }) => move)).toEqual([{ kind: 'text', text: '/ban ben' }]);
  });

  test('of a user who floods, 8 updates wait, and of the rest the last one is answered', async () => {
    const { telegram, conversation } = await startTelegramFixture();
    const gate = Promise.withResolvers<void>();
    conversation.answer = async () => {
      await gate.promise;
      return page('done');
    };
    for (let line = 0; line < 50; line += 1) telegram.push(privateText(ANNA, String(line)));
    telegram.push(privateText(BEN, 'me too'));
    await eventually(() => conversation.moves.length).toBe(2);
    gate.resolve();
    await telegram.answered('sendMessage', 10);
    telegram.push(privateText(ANNA, 'last'));
    await eventually(() => conversation.moves.at(-1)?.move).toEqual({ kind: 'text', text: 'last' });
    expect(conversation.moves.filter(({ visitor }) => visitor.name === 'anna')).toHaveLength(8 + 1 + 1);
    expect(conversation.moves.map(({ move }) => move)).toContainEqual({ kind: 'text', text: '49' });
  });

  test('a photo, a sticker or a voice message is answered, once a minute; a pinned message is not', async () => {
    const { telegram, conversation, clock } = await startTelegramFixture();
    const { message } = privateText(ANNA, 'x') as { readonly message: Record<string, unknown> };
    const { text: _, ...rest } = message;
    const file = { file_id: 'f', file_unique_id: 'u', width: 1, height: 1, duration: 1 };
    const content = (given: object) => telegram.push({ message: { ...rest, ...given } });
    content({ pinned_message: message });
    content({ photo: [file], caption: 'look' });
    content({ sticker: { ...file, type: 'regular', is_animated: false, is_video: false } });
    await telegram.answered('sendMessage');
    await clock.advance(60_000);
    content({ voice: file });
    await telegram.answered('sendMessage', 2);
    expect(conversation.moves.map(({ move }) => move)).toEqual([{ kind: 'content' }, { kind: 'content' }]);
  });

  test('ten users that flood leave room for all others', async () => {
    const { telegram, conversation } = await startTelegramFixture();
    // The bot’s clock stands still, so that it would wait for a refusal indefinitely.
    telegram.limits = null;
    const gate = Promise.withResolvers<void>();
    conversation.answer = async (_, { name }) => {
      if (name !== 'ben') await gate.promise;
      return page('done');
    };
    for (let line = 0; line < 400; line += 1)
      telegram.push(privateText({ id: 100 + (line % 10) }, String(line)));
    telegram.push(privateText(BEN, 'me too'));
    await eventually(() => telegram.messages(BEN.id)).toHaveLength(1);
    gate.resolve();
  });

  test('a bot whose hands are full of what never ends is closed in its time', async () => {
    const { telegram, conversation, bot, clock } = await startTelegramFixture();
    conversation.answer = () => new Promise(() => {});
    for (let id = 1_000; id < 1_250; id += 1) telegram.push(privateText({ id }, 'hello'));
    await eventually(() => conversation.moves.length).toBe(200);
    let isClosed = false;
    const closing = bot.close().then(() => {
      isClosed = true;
    });
    await eventually(async () => {
      await clock.advance(1_000);
      return isClosed;
    }).toBe(true);
    await closing;
  });
});
