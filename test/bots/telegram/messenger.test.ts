import { describe, expect, test } from 'vitest';
import type { SendResult } from '../../../src/core/chat/messenger.ts';
import { privateText } from '../../support/chat/telegram-person.ts';
import { startTelegram } from '../../support/chat/telegram-stand-in.ts';
import type { Fault } from '../../support/chat/telegram-wire.ts';
import { CHANNEL, eventually, openTelegramFixture, page, startTelegramFixture } from './telegram-fixture.ts';

const SIGNAL = new AbortController().signal;
const refused = (code: number, description: string, parameters?: object): Fault => ({
  code,
  description,
  ...(parameters === undefined ? {} : { parameters }),
});

type Failure = Partial<Extract<SendResult, { ok: false }>> & { retryAfterMs?: number };

describe('what Telegram answers to a message we send', () => {
  test.each<[string, Fault, Failure]>([
    ['blocked', refused(403, 'Forbidden: bot was blocked by the user'), { reason: 'blocked' }],
    ['deactivated', refused(403, 'Forbidden: user is deactivated'), { reason: 'blocked' }],
    [
      'never written',
      refused(403, "Forbidden: bot can't initiate conversation with a user"),
      { reason: 'blocked' },
    ],
    ['no chat', refused(400, 'Bad Request: chat not found'), { reason: 'gone' }],
    ['put out', refused(403, 'Forbidden: bot was kicked from the channel chat'), { reason: 'gone' }],
    [
      'no right',
      refused(400, 'Bad Request: not enough rights to send text messages to the chat'),
      { reason: 'gone' },
    ],
    [
      'no admin',
      refused(400, 'Bad Request: need administrator rights in the channel chat'),
      { reason: 'gone' },
    ],
    ['empty', refused(400, 'Bad Request: message text is empty'), { reason: 'refused' }],
    ['pace', refused(429, 'Too Many Requests', { retry_after: 7 }), { reason: 'later', retryAfterMs: 7_000 }],
    ['server', refused(502, 'Bad Gateway'), { reason: 'unknown', retryAfterMs: 5_000 }],
    ['proxy', { code: 504, html: '<html>504</html>' }, { reason: 'unknown', retryAfterMs: 5_000 }],
    ['token', refused(401, 'Unauthorized'), { reason: 'later', retryAfterMs: 60_000 }],
    ['cut', 'drop', { reason: 'unknown', retryAfterMs: 5_000 }],
    ['silent', 'hang', { reason: 'unknown', retryAfterMs: 5_000 }],
  ])('%s: the caller knows what to do', async (_, fault, expected) => {
    const { telegram, bot } = await openTelegramFixture(
      fault === 'hang' ? { times: { attemptMs: 200 } } : {},
    );
    telegram.fail('sendMessage', fault);
    const result = await bot.messenger.send({ chat: '11' }, page('x'), SIGNAL);
    expect(result).toMatchObject({ ok: false, detail: expect.stringContaining('sendMessage'), ...expected });
    expect(telegram.calls).toHaveLength(1);
  });

  test.each<[string, Fault]>([
    ['was put out of it', refused(403, 'Forbidden: bot was kicked from the channel chat')],
    ['may not post', refused(400, 'Bad Request: not enough rights to send text messages to the chat')],
    ['is no administrator', refused(400, 'Bad Request: need administrator rights in the channel chat')],
    ['does not find it', refused(400, 'Bad Request: chat not found')],
  ])('a post in the channel while the bot %s waits: it may be let in again', async (_, fault) => {
    const { telegram, bot } = await openTelegramFixture();
    telegram.fail('sendMessage', fault);
    const result = await bot.messenger.send('channel', page('x'), SIGNAL);
    expect(result).toMatchObject({ reason: 'later', retryAfterMs: 60_000 });
  });

  test('without network nothing was sent, and it can be tried again', async () => {
    const away = await startTelegram();
    await away.close();
    const { bot } = await openTelegramFixture({ apiRoot: away.url });
    expect(await bot.messenger.send({ chat: '11' }, page('x'), SIGNAL)).toMatchObject({ reason: 'later' });
  });

  test('what breaks while editing or removing can be repeated', async () => {
    const { telegram, bot } = await openTelegramFixture();
    telegram.fail('editMessageText', 'drop');
    telegram.fail('deleteMessage', 'drop');
    expect(await bot.messenger.edit('11:1', page('x'), SIGNAL)).toMatchObject({ reason: 'later' });
    expect(await bot.messenger.remove('12:1', SIGNAL)).toMatchObject({ reason: 'later' });
  });

  test('a message that is not there any more is gone', async () => {
    const { telegram, bot } = await openTelegramFixture();
    telegram.meet(11, 12);
    expect(await bot.messenger.edit('11:1', page('x'), SIGNAL)).toMatchObject({ reason: 'gone' });
    expect(await bot.messenger.remove('12:1', SIGNAL)).toMatchObject({ reason: 'gone' });
  });

  test('a message that cannot be removed is still there; one to be replied to that was deleted is gone', async () => {
    const { telegram, bot } = await openTelegramFixture();
    telegram.fail('deleteMessage', refused(400, "Bad Request: message can't be deleted for everyone"));
    telegram.fail('sendMessage', refused(400, 'Bad Request: message to be replied not found'));
    expect(await bot.messenger.remove('12:1', SIGNAL)).toMatchObject({
      reason: 'refused',
      detail: "deleteMessage: 400 Bad Request: message can't be deleted for everyone",
    });
    expect(await bot.messenger.reply('13:1', page('x'), SIGNAL)).toMatchObject({ reason: 'gone' });
  });

  test.each<[string, Fault, Failure]>([
    ['was deleted', refused(400, 'Bad Request: message to edit not found'), { reason: 'gone' }],
    ['cannot be edited', refused(400, "Bad Request: message can't be edited"), { reason: 'refused' }],
    [
      'is where the bot was put out',
      refused(403, 'Forbidden: bot is not a member of the channel chat'),
      { reason: 'later', retryAfterMs: 60_000 },
    ],
    ['is in a chat the bot is not in', refused(400, 'Bad Request: chat not found'), { reason: 'later' }],
    [
      'was left behind by its group',
      refused(400, 'Bad Request: group chat was upgraded to a supergroup chat'),
      { reason: 'gone' },
    ],
  ])(
    'an edit or an answer of a message that %s: only what is deleted is gone',
    async (_, fault, expected) => {
      const { telegram, bot } = await openTelegramFixture();
      telegram.fail('editMessageText', fault);
      telegram.fail('sendMessage', fault);
      expect(await bot.messenger.edit('11:1', page('x'), SIGNAL)).toMatchObject(expected);
      expect(await bot.messenger.reply('12:1', page('x'), SIGNAL)).toMatchObject(expected);
    },
  );

  test('without the right to edit a post is answered; without the right to post the answer waits', async () => {
    const { telegram, bot } = await openTelegramFixture();
    telegram.fail('editMessageText', refused(400, 'Bad Request: not enough rights to edit it'));
    telegram.fail('sendMessage', refused(400, 'Bad Request: not enough rights to send text messages'));
    expect(await bot.messenger.edit('11:1', page('x'), SIGNAL)).toMatchObject({ reason: 'refused' });
    expect(await bot.messenger.reply('12:1', page('x'), SIGNAL)).toMatchObject({ reason: 'later' });
  });

  test('an aborted send ends, and says that it may have arrived', async () => {
    const { telegram, bot } = await openTelegramFixture();
    telegram.fail('sendMessage', 'hang');
    const abort = new AbortController();
    const sent = bot.messenger.send({ chat: '11' }, page('x'), abort.signal);
    await eventually(() => telegram.calls).toHaveLength(1);
    abort.abort();
    expect(await sent).toMatchObject({ reason: 'unknown' });
  });
});

describe('a message we send on Telegram', () => {
  test('is posted, edited, answered and removed by its place', async () => {
    const { telegram, bot, clock } = await openTelegramFixture();
    const sent = await bot.messenger.send('channel', page('one'), SIGNAL);
    expect(sent).toEqual({ ok: true, place: `${CHANNEL}:1` });
    await clock.advance(1_000);
    expect(await bot.messenger.edit(`${CHANNEL}:1`, page('two'), SIGNAL)).toEqual(sent);
    await clock.advance(1_000);
    expect(await bot.messenger.reply(`${CHANNEL}:1`, page('three'), SIGNAL)).toMatchObject({
      place: `${CHANNEL}:2`,
    });
    expect(telegram.messages(CHANNEL)).toMatchObject([
      { text: 'two', replyTo: null },
      { text: 'three', replyTo: 1 },
    ]);
    await clock.advance(1_000);
    expect(await bot.messenger.remove(`${CHANNEL}:1`, SIGNAL)).toMatchObject({ ok: true });
    expect(telegram.messages(CHANNEL)).toHaveLength(1);
  });

  test('that says this already was edited well', async () => {
    const { bot, clock } = await openTelegramFixture();
    await bot.messenger.send('channel', page('one'), SIGNAL);
    await clock.advance(1_000);
    expect(await bot.messenger.edit(`${CHANNEL}:1`, page('one'), SIGNAL)).toMatchObject({ ok: true });
  });

  test('comes as plain text when its markup is refused', async () => {
    const { telegram, bot } = await openTelegramFixture();
    telegram.fail('sendMessage', refused(400, "Bad Request: can't parse entities: x"));
    expect(await bot.messenger.send('channel', page('5 < 6'), SIGNAL)).toMatchObject({ ok: true });
    expect(telegram.messages(CHANNEL)).toMatchObject([{ text: '5 < 6' }]);
  });

  test('follows a group that got a new id, and the log names the setting to change', async () => {
    const { telegram, bot, clock, log } = await openTelegramFixture();
    telegram.fail(
      'sendMessage',
      refused(400, 'Bad Request: group chat was upgraded to a supergroup chat', {
        migrate_to_chat_id: -1009,
      }),
    );
    expect(await bot.messenger.send('channel', page('one'), SIGNAL)).toEqual({ ok: true, place: '-1009:1' });
    await clock.advance(1_000);
    expect(await bot.messenger.send('channel', page('two'), SIGNAL)).toEqual({ ok: true, place: '-1009:2' });
    expect(log.filter((line) => line.includes('TELEGRAM_CHANNEL_ID'))).toEqual([
      expect.stringContaining('"to":"-1009"'),
    ]);
  });

  test('waits for the flood wait of its chat also when an answer there was refused, and says that it is of that chat', async () => {
    const { telegram, bot, clock } = await startTelegramFixture();
    telegram.meet(12);
    telegram.fail('sendMessage', refused(429, 'Too Many Requests', { retry_after: 60 }));
    telegram.push(privateText({ id: 11 }, '/start'));
    await clock.asleep();
    const late = { reason: 'later', retryAfterMs: 60_000, isChatOnly: true };
    expect(await bot.messenger.send({ chat: '11' }, page('x'), SIGNAL)).toMatchObject(late);
    expect(await bot.messenger.send({ chat: '12' }, page('x'), SIGNAL)).toMatchObject({ ok: true });
    await clock.advance(60_000);
    await telegram.answered('sendMessage', 3);
  });

  test('that is put off in two chats within a second rests all chats', async () => {
    const { telegram, bot, clock } = await openTelegramFixture();
    telegram.meet(11, 12, 13);
    const flood = refused(429, 'Too Many Requests', { retry_after: 20 });
    telegram.fail('sendMessage', flood, flood);
    const send = (chat: string) => bot.messenger.send({ chat }, page('x'), SIGNAL);
    expect(await send('11')).toMatchObject({ reason: 'later', isChatOnly: true });
    const all = { reason: 'later', retryAfterMs: 20_000, isChatOnly: false };
    expect(await send('12')).toMatchObject(all);
    expect(await send('13')).toMatchObject(all);
    await clock.advance(20_000);
    expect(await send('13')).toMatchObject({ ok: true });
  });

  test('that is put off holds back the next to the same chat, and no other', async () => {
    const { telegram, bot, clock } = await openTelegramFixture();
    telegram.meet(11, 12);
    telegram.fail('sendMessage', refused(429, 'Too Many Requests', { retry_after: 60 }));
    await bot.messenger.send({ chat: '11' }, page('x'), SIGNAL);
    expect(await bot.messenger.send({ chat: '11' }, page('x'), SIGNAL)).toMatchObject({
      reason: 'later',
      retryAfterMs: 60_000,
    });
    expect(await bot.messenger.send({ chat: '12' }, page('x'), SIGNAL)).toMatchObject({ ok: true });
    await clock.advance(60_000);
    expect(await bot.messenger.send({ chat: '11' }, page('x'), SIGNAL)).toMatchObject({ ok: true });
  });
});
