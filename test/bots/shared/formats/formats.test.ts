import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { discordFormat } from '../../../../bots/shared/formats/discord.ts';
import type { Format } from '../../../../bots/shared/formats/format.ts';
import { ntfyFormat } from '../../../../bots/shared/formats/ntfy.ts';
import { slackFormat } from '../../../../bots/shared/formats/slack.ts';
import { plainScreen, type Screen } from '../../../../bots/shared/screen.ts';

const PAGE = { label: 'Page', url: 'https://tipoff.example.com/alerts/7' };
const MARKET = { label: 'Polymarket', url: 'https://polymarket.com/event/a' };
const ALERT = plainScreen(
  'personal_alert',
  [
    [{ bold: '78 · $44,000 on Yes' }],
    [{ link: 'https://polymarket.com/event/a', text: 'Will A & B <win>?' }],
  ],
  [
    [{ label: 'Why', action: 'alert:7' }, PAGE],
    [{ label: 'Mute market', action: 'mm:7' }, MARKET],
  ],
);
const FORMATS = { discord: discordFormat, slack: slackFormat, ntfy: ntfyFormat('my-topic') };
const written = (format: Format, screen: Screen) => JSON.parse(format(screen)) as Record<string, unknown>;
const textOnly = (text: string) => plainScreen('personal_alert', [text], []);

test('Discord gets Markdown that mentions nobody and shows no previews, with the links and without the taps', () => {
  expect(written(discordFormat, ALERT)).toEqual({
    content:
      '**78 · $44,000 on Yes**\n\n[Will A & B \\<win\\>?](<https://polymarket.com/event/a>)\n\n' +
      '[Page](<https://tipoff.example.com/alerts/7>) · [Polymarket](<https://polymarket.com/event/a>)',
    allowed_mentions: { parse: [] },
    flags: 4,
  });
});

test('Slack gets its own markup, with its three signs escaped and no previews', () => {
  expect(written(slackFormat, ALERT)).toEqual({
    text:
      '*78 · $44,000 on Yes*\n\n<https://polymarket.com/event/a|Will A &amp; B &lt;win&gt;?>\n\n' +
      '<https://tipoff.example.com/alerts/7|Page> · <https://polymarket.com/event/a|Polymarket>',
    unfurl_links: false,
    unfurl_media: false,
  });
});

test('ntfy gets the first line as the title, plain text, the links, and the kind as a tag', () => {
  expect(written(FORMATS.ntfy, ALERT)).toEqual({
    topic: 'my-topic',
    title: '78 · $44,000 on Yes',
    message: 'Will A & B <win>? (https://polymarket.com/event/a)',
    tags: ['alert'],
    click: PAGE.url,
    actions: [
      { action: 'view', ...PAGE },
      { action: 'view', ...MARKET },
    ],
  });
});

test('a silent message makes no sound on Discord and ntfy', () => {
  const silent = { ...ALERT, isSilent: true };
  expect(written(discordFormat, silent)['flags']).toBe(4 + 4_096);
  expect(written(FORMATS.ntfy, silent)['priority']).toBe(2);
  expect(written(FORMATS.ntfy, ALERT)).not.toHaveProperty('priority');
});

test('a screen with a secret is never written', () => {
  const secret = { text: 'tk_live_x', keyId: 'k', request: 'r' };
  for (const format of Object.values(FORMATS))
    expect(() => format({ ...textOnly('a'), secret })).toThrow('must not leave');
});

const signs = fc.constantFrom(...'ab1 .*_~`|<>&@#\\[]()\n', '🏛', 'é', '\u202e');
const text = fc.string({ unit: signs, minLength: 1, maxLength: 1_500 });
const anyScreen = fc
  .record({ first: text, second: text, third: text })
  .map(({ first, second, third }) =>
    plainScreen(
      'personal_alert',
      [[{ bold: first }], [{ link: 'https://a.example/b', text: second }], [third]],
      [[PAGE]],
    ),
  );

describe('any message', () => {
  test('fits what the service takes', () => {
    fc.assert(
      fc.property(anyScreen, (screen) => {
        const { content } = written(discordFormat, screen);
        expect(String(content).length).toBeLessThanOrEqual(2_000);
        expect(String(written(slackFormat, screen)['text']).length).toBeLessThanOrEqual(4_000);
        const { message, title } = written(FORMATS.ntfy, screen);
        expect(Buffer.byteLength(String(message))).toBeLessThanOrEqual(4_096);
        expect(Buffer.byteLength(String(title))).toBeLessThanOrEqual(1_000);
      }),
    );
  });

  test('in Slack hold no control sequence but links that were meant', () => {
    fc.assert(
      fc.property(anyScreen, (screen) => {
        const found = String(written(slackFormat, screen)['text']).match(/<[^>]*>?/g) ?? [];
        for (const sequence of found) expect(sequence).toMatch(/^<https:\/\/[^<>|]+\|[^<>|]+>$/);
      }),
    );
  });
});

test('one that is too long is cut', () => {
  for (const format of Object.values(FORMATS)) expect(format(textOnly('é'.repeat(9_000)))).toMatch(/é …"/);
  expect(Buffer.byteLength(String(written(FORMATS.ntfy, textOnly('é'.repeat(9_000)))['message']))).toBe(
    4_096,
  );
});
