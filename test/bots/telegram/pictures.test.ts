import { describe, expect, test } from 'vitest';
import type { Screen } from '../../../bots/shared/screen.ts';
import { CHANNEL, openTelegramFixture, page } from './telegram-fixture.ts';

const SIGNAL = new AbortController().signal;
const SITE = 'https://tipoff.example.com/alerts/1';
const alert = (text: string, version: string | null): Screen => ({
  ...page(text),
  preview: version === null ? null : { page: `${SITE}?v=${version}`, picture: `${SITE}.png?v=${version}` },
});
const shownLarge = (version: string) => ({
  url: `${SITE}?v=${version}`,
  prefer_large_media: true,
  show_above_text: true,
});

describe('a post with a picture on Telegram', () => {
  test('is the preview of the alert’s page, above the text; an edit has that of another address, or none', async () => {
    const { telegram, bot, clock } = await openTelegramFixture();
    const newest = () => telegram.messages(CHANNEL)[0]?.preview;
    await bot.messenger.send('channel', alert('A trade: https://evil.example', '1-open'), SIGNAL);
    expect(newest()).toEqual(shownLarge('1-open'));
    await clock.advance(1_000);
    await bot.messenger.edit(`${CHANNEL}:1`, alert('Right', '1-paid-1'), SIGNAL);
    expect(newest()).toEqual(shownLarge('1-paid-1'));
    await clock.advance(1_000);
    await bot.messenger.edit(`${CHANNEL}:1`, alert('https://evil.example', null), SIGNAL);
    expect(newest()).toBeNull();
  });

  test('comes without it when Telegram cannot read the page', async () => {
    const { telegram, bot } = await openTelegramFixture();
    telegram.fail('sendMessage', { code: 400, description: 'Bad Request: WEBPAGE_CURL_FAILED' });
    expect(await bot.messenger.send('channel', alert('A trade', '1-open'), SIGNAL)).toMatchObject({
      ok: true,
    });
    expect(telegram.messages(CHANNEL)).toMatchObject([{ text: 'A trade', preview: null }]);
  });
});
