import { describe, expect, test } from 'vitest';
import type { Screen } from '../../../bots/shared/screen.ts';
import { page } from '../../support/chat/scripted-conversation.ts';
import { CHANNEL, openTelegramFixture, startTelegramFixture } from '../../support/chat/telegram-fixture.ts';
import { privateText } from '../../support/chat/telegram-person.ts';
import { startTelegram } from '../../support/chat/telegram-stand-in.ts';
import type { Fault } from '../../support/chat/telegram-wire.ts';

const { signal } = new AbortController();
const refused = (code: number, description: string, parameters?: object): Fault => ({
  code,
  description,
  ...(parameters === undefined ? {} : { parameters }),
});
const bad = (why: string, parameters?: object) => refused(400, `Bad Request: ${why}`, parameters);
const flood = (seconds: number) => refused(429, 'Too Many Requests', { retry_after: seconds });

async function openMessenger(options: Parameters<typeof openTelegramFixture>[0] = {}) {
  const fixture = await openTelegramFixture(options);
  fixture.telegram.meet(11, 12, 13);
  const { messenger } = fixture.bot;
  return { ...fixture, messenger, send: (chat: string) => messenger.send({ chat }, page('x'), signal) };
}

describe('what Telegram answers to a message we send', () => {
  test.each<[Fault, string]>([
    [refused(403, 'Forbidden: user is deactivated'), 'blocked'],
    [refused(403, "Forbidden: bot can't initiate conversation with a user"), 'blocked'],
    [refused(403, 'Forbidden: bot was kicked from the channel chat'), 'gone'],
    [bad('chat not found'), 'gone'],
    [bad('not enough rights to send text messages to the chat'), 'gone'],
    [bad('need administrator rights in the channel chat'), 'gone'],
    [{ code: 504, html: '<html>504</html>' }, 'unknown'],
  ])('%o to a person: %s', async (fault, reason) => {
    const { telegram, send } = await openMessenger();
    telegram.fail('sendMessage', fault);
    expect(await send('11')).toMatchObject({ reason, detail: expect.stringContaining('sendMessage') });
  });

  test.each([bad('need administrator rights in the channel chat'), bad('chat not found')])(
    'a post in the channel waits after %o: the bot may be let in again',
    async (fault) => {
      const { telegram, messenger } = await openMessenger();
      telegram.fail('sendMessage', fault);
      const result = await messenger.send('channel', page('x'), signal);
      expect(result).toMatchObject({ reason: 'later', retryAfterMs: 60_000 });
    },
  );

  test.each([refused(403, 'Forbidden: no'), bad('chat not found')])(
    'an answer to a person whose chat is gone (%o) holds up nobody else',
    async (fault) => {
      const { telegram, messenger } = await openMessenger();
      telegram.fail('sendMessage', fault);
      telegram.fail('editMessageText', fault);
      expect(await messenger.reply('11:1', page('x'), signal)).toMatchObject({ reason: 'gone' });
      expect(await messenger.edit('11:1', page('x'), signal)).toMatchObject({ reason: 'gone' });
    },
  );

  test('without network nothing was sent, and it can be tried again', async () => {
    const away = await startTelegram();
    await away.close();
    const { send } = await openMessenger({ apiRoot: away.url });
    expect(await send('11')).toMatchObject({ reason: 'later' });
  });

  test.each<[Fault, string]>([
    [bad("message can't be edited"), 'refused'],
    [bad('chat not found'), 'later'],
    [bad('group chat was upgraded to a supergroup chat'), 'gone'],
  ])('an edit or an answer of a message after %o: %s', async (fault, reason) => {
    const { telegram, messenger } = await openMessenger();
    telegram.fail('editMessageText', fault);
    telegram.fail('sendMessage', fault);
    expect(await messenger.edit('-11:1', page('x'), signal)).toMatchObject({ reason });
    expect(await messenger.reply('-12:1', page('x'), signal)).toMatchObject({ reason });
  });
});

describe('a message we send on Telegram', () => {
  test('comes as plain text when its markup is refused, and without a page that Telegram cannot read', async () => {
    const { telegram, messenger, clock } = await openMessenger();
    telegram.fail('sendMessage', bad("can't parse entities: x"));
    await messenger.send('channel', page('5 < 6'), signal);
    await clock.advance(1_000);
    const alert: Screen = { ...page('A trade'), preview: { page: 'https://a.example/1', picture: '' } };
    telegram.fail('sendMessage', bad('WEBPAGE_CURL_FAILED'));
    expect(await messenger.send('channel', alert, signal)).toMatchObject({ ok: true });
    expect(telegram.messages(CHANNEL)).toMatchObject([{ text: '5 < 6' }, { text: 'A trade', preview: null }]);
  });

  test('has its picture above the text', async () => {
    const { telegram, messenger } = await openMessenger();
    const preview = { page: 'https://a.example/1', picture: '' };
    await messenger.send('channel', { ...page('A trade'), preview }, signal);
    expect(telegram.messages(CHANNEL)[0]?.preview).toEqual({
      ...{ url: preview.page, prefer_large_media: true, show_above_text: true },
    });
  });

  test('follows a group that got a new id, and the log names the setting to change', async () => {
    const { telegram, messenger, clock, log } = await openMessenger();
    const moved = bad('group chat was upgraded to a supergroup chat', { migrate_to_chat_id: -1009 });
    telegram.fail('sendMessage', moved);
    expect(await messenger.send('channel', page('one'), signal)).toEqual({ ok: true, place: '-1009:1' });
    await clock.advance(1_000);
    expect(await messenger.send('channel', page('two'), signal)).toEqual({ ok: true, place: '-1009:2' });
    expect(log.filter((line) => line.includes('TELEGRAM_CHANNEL_ID'))).toEqual([
      expect.stringContaining('"to":"-1009"'),
    ]);
  });

  test('waits for the flood wait of its chat also when an answer there was refused; other chats do not', async () => {
    const { telegram, bot, clock } = await startTelegramFixture();
    telegram.meet(12);
    telegram.fail('sendMessage', flood(60));
    telegram.push(privateText({ id: 11 }, '/start'));
    await clock.asleep();
    const send = (chat: string) => bot.messenger.send({ chat }, page('x'), signal);
    expect(await send('11')).toMatchObject({ reason: 'later', retryAfterMs: 60_000, isChatOnly: true });
    expect(await send('12')).toMatchObject({ ok: true });
    await clock.advance(60_000);
    await telegram.answered('sendMessage', 3);
  });
});
