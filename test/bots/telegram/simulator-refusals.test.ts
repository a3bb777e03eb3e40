import { describe, expect, test } from 'vitest';
import { HOUR_MS } from '../../../src/core/base/time/duration.ts';
import { privateTap, privateText, publicText } from '../../support/chat/telegram-person.ts';
import { ANN, GROUP, openRawTelegram, refused } from './raw-telegram.ts';

describe('the simulator of Telegram refuses messages as the Bot API is documented', () => {
  const keyboard = (button: object) => ({ reply_markup: { inline_keyboard: [[button]] } });
  const long = (text: string, bytes: number) => text.repeat(bytes);

  test.each([
    ['a text of 4,097 characters', { text: long('x', 4_097) }, 'message is too long'],
    ['an empty text', { text: ' ' }, 'message text is empty'],
    ['a button without a text', keyboard({ text: '', callback_data: 'a' }), 'BUTTON_TEXT_EMPTY'],
    [
      '65 bytes of callback data',
      keyboard({ text: 'a', callback_data: `${long('é', 32)}x` }),
      'BUTTON_DATA_INVALID',
    ],
    [
      'a text of 257 characters to copy',
      keyboard({ text: 'a', copy_text: { text: long('x', 257) } }),
      'BUTTON_COPY_TEXT_INVALID',
    ],
    ['a person who never wrote to the bot', { chat_id: 99 }, 'chat not found'],
  ])('%s', async (_, more, words) => {
    const { send } = await openRawTelegram();
    expect(await send(more)).toMatchObject(refused(words));
  });

  test('4,096 characters count without the markup', async () => {
    const { send } = await openRawTelegram();
    const text = `<b>${long('&lt;', 4_096)}</b>`;
    expect(await send({ text, parse_mode: 'HTML' })).toMatchObject({ ok: true });
  });

  test('a caption of 1,025 characters', async () => {
    const { call } = await openRawTelegram();
    const caption = long('x', 1_025);
    expect(await call('sendPhoto', { chat_id: ANN.id, caption })).toMatchObject(
      refused('message caption is too long'),
    );
  });

  test('a person who wrote, or taps, can be answered', async () => {
    const { telegram, send } = await openRawTelegram();
    telegram.push(privateText({ id: 99 }, '/start'));
    expect(await send({ chat_id: 99 })).toMatchObject({ ok: true });
  });

  test('an edit that changes nothing, one of a message that is gone, and one of another’s message', async () => {
    const { telegram, call, send } = await openRawTelegram();
    const { result } = await send();
    const edit = { chat_id: ANN.id, message_id: result?.message_id, text: 'hello' };
    expect(await call('editMessageText', edit)).toMatchObject(
      refused(
        'message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
      ),
    );
    const gone = { ...edit, message_id: 999 };
    expect(await call('editMessageText', gone)).toMatchObject(refused('message to edit not found'));
    const { id, update } = publicText({ id: GROUP, type: 'supergroup' }, 'mine');
    telegram.push(update);
    const foreign = { chat_id: GROUP, message_id: id, text: 'x' };
    expect(await call('editMessageText', foreign)).toMatchObject(refused("message can't be edited"));
  });

  test('a deletion after 48 hours, and one of a message that is gone', async () => {
    const { clock, call, send } = await openRawTelegram();
    const [old, fresh] = [await send(), await send()];
    const remove = (message: typeof old) =>
      call('deleteMessage', { chat_id: ANN.id, message_id: message.result?.message_id });
    clock.now += 48 * HOUR_MS;
    expect(await remove(fresh)).toMatchObject({ ok: true });
    expect(await remove(fresh)).toMatchObject(refused('message to delete not found'));
    clock.now += 1;
    expect(await remove(old)).toMatchObject(refused("message can't be deleted for everyone"));
  });

  test('a tap is acknowledged for 15 seconds, an unknown one never', async () => {
    const { telegram, clock, call, send } = await openRawTelegram();
    await send({ ...keyboard({ text: 'a', callback_data: 'a' }) });
    const [message] = telegram.messages(ANN.id);
    if (message === undefined) throw new Error('no message');
    const tap = privateTap(ANN, message, 'a') as { callback_query: { id: string } };
    telegram.push(tap);
    const acknowledge = (id: string) => call('answerCallbackQuery', { callback_query_id: id });
    const tooOld = refused('query is too old and response timeout expired or query ID is invalid');
    expect(await acknowledge('1')).toMatchObject(tooOld);
    expect(await acknowledge(tap.callback_query.id)).toMatchObject({ ok: true });
    clock.now += 15_001;
    expect(await acknowledge(tap.callback_query.id)).toMatchObject(tooOld);
  });

  test.each(['forwardMessage', 'copyMessage'])('%s of protected content', async (method) => {
    const { call, send } = await openRawTelegram();
    const from = { chat_id: ANN.id, from_chat_id: ANN.id };
    const open_ = await send();
    const closed = await send({ protect_content: true });
    expect(await call(method, { ...from, message_id: open_.result?.message_id })).toMatchObject({ ok: true });
    expect(await call(method, { ...from, message_id: closed.result?.message_id })).toMatchObject({
      ok: false,
      status: 400,
    });
  });

  test.each([
    [
      '101 commands',
      Array.from({ length: 101 }, (_, at) => ({ command: `c${at}`, description: 'x' })),
      'BOT_COMMANDS_TOO_MUCH',
    ],
    ['capitals', [{ command: 'Start', description: 'x' }], 'BOT_COMMAND_INVALID'],
    ['33 characters', [{ command: long('c', 33), description: 'x' }], 'BOT_COMMAND_INVALID'],
    ['no description', [{ command: 'start', description: '' }], 'BOT_COMMAND_DESCRIPTION_INVALID'],
    [
      '257 characters of description',
      [{ command: 'start', description: long('x', 257) }],
      'BOT_COMMAND_DESCRIPTION_INVALID',
    ],
  ])('a menu with %s', async (_, commands, words) => {
    const { call } = await openRawTelegram();
    expect(await call('setMyCommands', { commands })).toMatchObject(refused(words));
  });

  test('a menu for the chat of a person who never wrote to the bot', async () => {
    const { call } = await openRawTelegram();
    const scope = { type: 'chat', chat_id: 99 };
    expect(await call('setMyCommands', { commands: [], scope })).toMatchObject(refused('chat not found'));
  });

  test('another token', async () => {
    const { telegram } = await openRawTelegram();
    const response = await fetch(`${telegram.url}/bot1:wrong/getMe`);
    expect([response.status, await response.json()]).toEqual([
      401,
      { ok: false, error_code: 401, description: 'Unauthorized' },
    ]);
  });
});
