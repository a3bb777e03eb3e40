import { describe, expect, test } from 'vitest';
import { TelegramLimits } from '../../support/chat/telegram-limits.ts';
import { ANN, GROUP, openRawTelegram, refused } from './raw-telegram.ts';

describe('the simulator of Telegram limits messages as the FAQ of bots says', () => {
  const tooMany = (seconds: number) => ({
    status: 429,
    error_code: 429,
    description: `Too Many Requests: retry after ${seconds}`,
    parameters: { retry_after: seconds },
  });

  test('30 a second in all, edits included', async () => {
    const { telegram, clock, call, send } = await openRawTelegram();
    const { result } = await send();
    for (let person = 100; person < 128; person += 1) {
      telegram.meet(person);
      expect(await send({ chat_id: person })).toMatchObject({ ok: true });
    }
    const edit = { chat_id: ANN.id, message_id: result?.message_id, text: 'new' };
    expect(await call('editMessageText', edit)).toMatchObject({ ok: true });
    expect(await call('editMessageText', edit)).toMatchObject(tooMany(1));
    clock.now += 1_000;
    expect(await send()).toMatchObject({ ok: true });
  });

  test('1 a second in a chat, after a short burst', async () => {
    const { telegram, clock, send } = await openRawTelegram();
    telegram.limits = new TelegramLimits(() => clock.now, { burst: 2 });
    expect(await send()).toMatchObject({ ok: true });
    expect(await send()).toMatchObject({ ok: true });
    expect(await send()).toMatchObject(tooMany(2));
    clock.now += 2_000;
    expect(await send()).toMatchObject({ ok: true });
  });

  test('20 a minute in a group', async () => {
    const { clock, send } = await openRawTelegram();
    for (let count = 0; count < 20; count += 1) {
      expect(await send({ chat_id: GROUP })).toMatchObject({ ok: true });
      clock.now += 1_000;
    }
    expect(await send({ chat_id: GROUP })).toMatchObject(tooMany(40));
    expect(await send()).toMatchObject({ ok: true });
    clock.now += 40_000;
    expect(await send({ chat_id: GROUP })).toMatchObject({ ok: true });
  });

  test('a flood wait of one chat, and no other', async () => {
    const { telegram, send } = await openRawTelegram();
    telegram.limits?.flood(ANN.id, 25_000);
    telegram.meet(12);
    expect(await send()).toMatchObject(tooMany(25));
    expect(await send({ chat_id: 12 })).toMatchObject({ ok: true });
  });
});

describe('the simulator of Telegram refuses markup in the words of Telegram', () => {
  // The emoji has 4 bytes in UTF-8, and `&lt;` 4: the tag begins at byte 9.
  test.each([
    ['<b', 'Unclosed start tag at byte offset 9'],
    ['<table>', 'Unsupported start tag "table" at byte offset 9'],
    ['<3 of 5', 'Unsupported start tag "3" at byte offset 9'],
    ['<a href="x', 'Unclosed start tag "a" at byte offset 9'],
    ['<b =x>', 'Empty attribute name in the tag "b" at byte offset 9'],
    ['<span>x</span>', 'Tag "span" must have class "tg-spoiler" at byte offset 9'],
    ['</b>', 'Unexpected end tag at byte offset 9'],
    ['<b>x</b', 'Unclosed end tag at byte offset 13'],
    ['<b>x</i>', 'Unmatched end tag at byte offset 13, expected "</b>", found "</i>"'],
    ['<b><i>x</i>', 'Can\'t find end tag corresponding to start tag "b"'],
  ])('%s', async (markup, words) => {
    const { send } = await openRawTelegram();
    const answer = await send({ text: `🔔 &lt;${markup}`, parse_mode: 'HTML' });
    expect(answer).toMatchObject(refused(`can't parse entities: ${words}`));
  });

  test.each([
    ['<b>a &amp; b</b> &lt;i&gt; &quot;x&quot;', 'a & b <i> "x"'],
    ['<span class = "tg-spoiler">a</span>', 'a'],
    ['<blockquote expandable>a</blockquote>', 'a'],
    ['<pre><code class="language-sh">a</code></pre>', 'a'],
    ['<I>a</I> &#128276; &#x1F514; &nbsp; a > b', 'a 🔔 🔔 &nbsp; a > b'],
  ])('and takes %s', async (text, shown) => {
    const { telegram, send } = await openRawTelegram();
    expect(await send({ text, parse_mode: 'HTML' })).toMatchObject({ ok: true });
    expect(telegram.messages(ANN.id).at(-1)?.text).toBe(shown);
  });
});
