import { describe, expect, test } from 'vitest';
import { toMessage } from '../../../bots/discord/screen-message.ts';
import { plainText, type Screen } from '../../../bots/shared/screen.ts';
import { toOnePart } from '../../../bots/telegram/render.ts';
import type { Alert } from '../../../src/core/alerts/alert.ts';
import { HOUR_MS, MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { exitOf } from '../../support/alerts.ts';
import { HASH, MARKET, NOTE, NOW, PLAIN, type Reads, shown, text } from './presenter-fixture.ts';

const WALLET = 'https://polymarket.com/profile/0x00000000000000000000000000000000000000aa';

const REASON = { factor: 'to_win', points: 25, max: 55 } as const;
const FACTS = { alertId: 1, marketId: '0xm1', threadId: 1, score: 72 };

const post = (alert: Partial<Alert>, reads?: Reads) => text('alert', FACTS, [{ ...PLAIN, ...alert }], reads);
const edit = (alert: Partial<Alert>) => text('alert_update', FACTS, [{ ...PLAIN, ...alert }]);

describe('a post of an alert', () => {
  test('names the market, the trade, the score with its reasons, the wallet and where to look', async () => {
    expect(await post({ log: { sequence: 1_234, hash: HASH } })).toBe(
      `🔔 Suspicious trade by a new wallet
Will the measure pass?
$12,340 on Yes at 12.5¢ to win $86,383

███████░░░ 72 of 100
+30 wallet 1 day old

Wallet 0x0000…00aa (${WALLET}) · traded 2026-11-21 19:58 UTC · posted 17 min later
#Politics · alert 1
${NOTE}
log 1234:3f9a0c12e4b8d7aa0000000000000000`,
    );
  });

  test('of a trade that was found late says so', async () => {
    const tradedAt = NOW - 17 * MINUTE_MS;

    expect(await post({ tradedAt, detectedAt: tradedAt + 2 * MINUTE_MS })).toContain(
      `(${WALLET}) · traded 2026-11-21 19:58 UTC ·`,
    );
    expect(await post({ tradedAt, detectedAt: tradedAt + 2 * MINUTE_MS + 1 })).toContain(
      '· found late: traded 2026-11-21 19:58 UTC ·',
    );
  });

  test('has its outcome once there is one, a loss as plainly as a win', async () => {
    const won = { payout: 1, won: true, profitUsdc: 1_234.4 };
    const lost = { payout: 0, won: false, profitUsdc: -2_000 };

    expect(await post({ resolution: won })).toMatch(/\n\n✅ won \$1,234$/);
    const edited = await text('alert_result', FACTS, [{ ...PLAIN, resolution: lost }]);
    expect(edited).toBe(`${await edit({})}\n\n❌ lost $2,000`);
  });

  test('says what became of the position, above its outcome', async () => {
    const won = { payout: 1, won: true, profitUsdc: 1_234.4 };
    const sentence = 'Sold 60 % at 71¢ on the market after 3 h: +$7,680.';
    const exit = exitOf({ number: 1 });
    expect(await post({}, { exit })).toBe(`${await post({})}\n\n${sentence}`);
    expect(await post({ resolution: won }, { exit })).toContain(`\n\n${sentence}\n\n✅ won`);
  });

  test('that showed an earlier alert of its thread says so directly below the trade', async () => {
    const won = { payout: 1, won: true, profitUsdc: 1_234.4 };
    const trade = '$12,340 on Yes at 12.5¢ to win $86,383\n';
    const line = `${trade}Updated: more was bought since the first post.\n`;
    const updated = { ...FACTS, isUpdated: true };

    expect(await text('alert_update', updated)).toBe((await edit({}))?.replace(trade, line));
    const resolved = await text('alert_result', updated, [{ ...PLAIN, resolution: won }]);
    expect(resolved).toBe((await edit({ resolution: won }))?.replace(trade, line));
  });

  test.each([
    [2 * MINUTE_MS + 1, '2 min'],
    [HOUR_MS + MINUTE_MS, '1 h'],
    [25 * HOUR_MS, '1 day'],
  ])('that is sent %i ms after the trade says so: %s later', async (ms, words) => {
    expect(await post({ tradedAt: NOW - ms })).toMatch(
      new RegExp(`traded 2026-11-2\\d \\d\\d:\\d\\d UTC · posted ${words} later\\n#Politics`),
    );
  });

  test('says nothing that becomes false: no age, and of an edit not when it was made', async () => {
    expect(await post({ tradedAt: NOW - 2 * MINUTE_MS })).not.toContain('posted');
    expect(await edit({})).toBe((await post({}))?.replace(' · posted 17 min later', ''));
    for (const shown of [await post({}), await edit({})]) expect(shown).not.toContain(' ago');
  });

  test('stays short when the market’s name is long, and is none when the alert is not there', async () => {
    expect((await post({ eventTitle: 'x'.repeat(5_000) }))?.length).toBeLessThan(700);
    expect(await text('alert', { ...FACTS, alertId: 9 })).toBeNull();
  });

  test('of a hidden wallet leaves out its address and its page; unhidden it has them again', async () => {
    const hidden = { statements: [{ kind: 'hide' }, { kind: 'annotate' }] } as const;
    const shownAgain = { statements: [...hidden.statements, { kind: 'unhide' }] } as const;

    expect(await post({}, hidden)).toContain(
      `\n\nWallet: a hidden wallet · traded 2026-11-21 19:58 UTC · posted 17 min later\n#Politics · alert 1\n`,
    );
    expect(await post({ type: 'cluster' }, hidden)).toContain('\nLast wallet: a hidden wallet · traded');
    expect(await post({}, shownAgain)).toBe(await post({}));
  });

  test('waits while it cannot be known whether the wallet is hidden', async () => {
    await expect(post({}, { statements: null })).rejects.toThrow('the database is away');
  });

  test('shows the market in bold and never says insider', async () => {
    const screen = await shown('alert', FACTS);

    expect(screen?.body[0]).toContainEqual({ bold: 'Will the measure pass?' });
    expect(JSON.stringify(screen)).not.toMatch(/insider/i);
  });
});

describe('what leads on from a post', () => {
  const buttons = async (channel: 'telegram' | 'discord', kind: 'alert' | 'alert_result' = 'alert') =>
    (await shown(kind, FACTS, [PLAIN], { channel }))?.buttons;

  test('on Telegram: the market, why, and a key, in the post and in its edits', async () => {
    const row = [
      { label: 'Market', url: MARKET },
      { label: 'Why', url: 'https://t.me/example_bot?start=alert_1' },
      { label: 'Get a key', url: 'https://t.me/example_bot?start=key' },
    ];

    expect(await buttons('telegram')).toEqual([row]);
    expect(await buttons('telegram', 'alert_result')).toEqual([row]);
  });

  test('on Discord, where no link carries a command: the market and the bot; the text says how to ask why', async () => {
    expect(await buttons('discord')).toEqual([
      [
        { label: 'Market', url: MARKET },
        { label: 'Get a key', url: 'https://discord.com/users/1' },
      ],
    ]);
    expect(await post({ category: 'pop_culture' }, { channel: 'discord' })).toContain(
      '\nPop culture · alert 1: /alert 1 in the bot says why\n',
    );
    expect(await post({ category: 'pop_culture' })).toContain('\n#PopCulture · alert 1\n');
  });

  test('is not there on Discord until the bot knows its own page; on Telegram the post waits for that', async () => {
    const unknown = { profileUrl: null } as const;

    expect((await shown('alert', FACTS, [PLAIN], { ...unknown, channel: 'discord' }))?.buttons).toEqual([
      [{ label: 'Market', url: MARKET }],
    ]);
    await expect(shown('alert', FACTS, [PLAIN], unknown)).rejects.toThrow('name of the Telegram bot');
  });
});

describe('a post of an alert with a page', () => {
  const SITE = { siteUrl: 'https://tipoff.example.com' };
  const PAGE = `${SITE.siteUrl}/alerts/1`;
  const onSite = (alert: Partial<Alert>, kind: 'alert' | 'alert_update' | 'alert_result' = 'alert') =>
    shown(kind, FACTS, [{ ...PLAIN, ...alert }], SITE);

  test('leads to it', async () => {
    const market = { label: 'Market', url: MARKET };
    expect((await onSite({}))?.buttons[0]).toEqual([{ label: 'Details', url: PAGE }, market]);
    expect((await onSite({}))?.buttons[1]?.map(({ label }) => label)).toEqual(['Why', 'Get a key']);
    const onDiscord = await shown('alert', FACTS, [PLAIN], { ...SITE, channel: 'discord' });
    expect(onDiscord?.buttons.map((row) => row.map(({ label }) => label))).toEqual([
      ['Details', 'Market', 'Get a key'],
    ]);
  });

  test.each(['alert', 'alert_update', 'alert_result'] as const)(
    'shows its picture from a score of 70 on (%s), with another address when there is a result',
    async (kind) => {
      const preview = (version: string) => ({
        page: `${PAGE}?v=${version}`,
        picture: `${PAGE}.png?v=${version}`,
      });
      const lost = { payout: 0, won: false, profitUsdc: -2_000 };
      expect((await onSite({ score: 70 }, kind))?.preview).toEqual(preview('1-open'));
      expect((await onSite({ score: 70, resolution: lost }, kind))?.preview).toEqual(preview('1-paid-0'));
      expect((await onSite({ score: 69 }, kind))?.preview).toBeNull();
      expect((await shown(kind, FACTS, [{ ...PLAIN, score: 70 }]))?.preview).toBeNull();
    },
  );
});

describe('a title of a market', () => {
  const forged = 'Safe?\r\n✅ won $9\u2028log 1:00\u200F\u061C\u202Eevil\u2066 https://evil.example/x';
  const outcome = 'Yes\n❌ lost';

  test('can neither forge a line of a post nor turn its direction', async () => {
    const words = await post({ eventTitle: forged, outcome });

    expect(words).toContain(
      '\nSafe? ✅ won $9 log 1:00 evil https://evil.example/x\n$12,340 on Yes ❌ lost at',
    );
    expect(words).not.toMatch(/[\p{Bidi_Control}\u2028\u2029\r]/u);
  });

  test('that is an address has no preview on Discord', async () => {
    const screen = await shown('alert', FACTS, [{ ...PLAIN, eventTitle: forged }], { channel: 'discord' });

    expect(toMessage(screen as Screen).content).toContain('<https://evil.example/x>**');
  });
});

test('the longest names and numbers fit on every platform, with every button', async () => {
  const long = (sign: string) => sign.repeat(5_000);
  const reasons = Array.from({ length: 6 }, () => ({ ...REASON, note: 'x'.repeat(80) }));
  for (const sign of ['x', '*', '&', 'ש', '😀', '_https://e.vil ']) {
    const alert = { ...PLAIN, id: Number.MAX_SAFE_INTEGER, eventTitle: long(sign), outcome: long(sign) };
    const details = { ...PLAIN.details, marketBuyCount: 99_999, marketTotalBought: 1e12, reasons };
    const whole = { ...alert, type: 'fresh_accumulator', usdc: 1e12, score: 100, details } as const;
    const facts = { ...FACTS, alertId: alert.id, isUpdated: true };
    const log = { sequence: Number.MAX_SAFE_INTEGER, hash: HASH };
    for (const channel of ['telegram', 'discord'] as const) {
      const resolution = { payout: 0, won: false, profitUsdc: -1e12 };
      const screen = await shown('alert_update', facts, [{ ...whole, resolution, log }], { channel });
      const words = plainText(screen as Screen);

      expect(words).toMatch(/❌ lost .*$/);
      expect(toOnePart((screen as Screen).body).plain).toBe(words);
      expect(toMessage(screen as Screen).content).toMatch(/❌ lost [^…]*$/);
      expect(toMessage(screen as Screen).content.length).toBeLessThanOrEqual(2_000);
      expect(toMessage(screen as Screen).components[0]?.components).toHaveLength(
        channel === 'telegram' ? 3 : 2,
      );
    }
  }
});
