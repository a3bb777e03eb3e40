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
  test('says first how strong the alert is, how much was paid and on what; then why, who, when, and last what proves it', async () => {
    expect(await post({ log: { seq: 1_234, hash: HASH } })).toBe(
      `72 · $12,340 on Yes at 12.5¢ to win $86,383
Will the measure pass? (${MARKET})
Strong · new wallet bought

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

  test('says what became of the position, above its outcome', async () => {
    const won = { payout: 1, won: true, profitUsdc: 1_234.4 };
    const exit = exitOf({ number: 1 });
    const sold = 'bought\nSold 60% at 71¢ after 3 h: +$7,680.\n';
    expect(await post({}, { exit })).toBe((await post({}))?.replace('bought\n', sold));
    expect(await post({ resolution: won }, { exit })).toContain(`${sold}Won $494 on the 40% held.\n`);
  });

  test.each([
    [{ score: 80 }, 'Very strong · new wallet bought'],
    [{ score: 59 }, 'Moderate · new wallet bought'],
    [{ score: 39 }, 'Weak · new wallet bought'],
    [{ side: 'SELL' }, 'Strong · new wallet sold'],
    [{ type: 'cluster' }, 'Strong · cluster of new wallets within an hour'],
    [{ details: { ...PLAIN.details, role: 'maker' } }, 'Strong · new wallet bought with a resting order'],
    [{ details: { ...PLAIN.details, marketBuyCount: 6 } }, 'Strong · new wallet: 6 buys, the last $12,340'],
    [
      { type: 'fresh_accumulator', details: { ...PLAIN.details, marketBuyCount: 6 } },
      'Strong · new wallet keeps buying: 6 buys, the last $12,340',
    ],
  ] as const)('has a heading by band and by what happened (%#)', async (alert, heading) => {
    expect((await post(alert))?.split('\n')[2]).toBe(heading);
  });

  test('makes a sound from a score of 80 on; an edit and an answer to it make none', async () => {
    const isSilent = async (score: number, kind: 'alert' | 'alert_update' | 'alert_result' = 'alert') =>
      (await shown(kind, FACTS, [{ ...PLAIN, score }]))?.isSilent;
    expect([await isSilent(80), await isSilent(79), await isSilent(60)]).toEqual([false, true, true]);
    expect([await isSilent(95, 'alert_update'), await isSilent(95, 'alert_result')]).toEqual([true, true]);
  });

  test('names the posts of the same wallet in the day before, unless the wallet is hidden', async () => {
    const posted = [7, 5].map((id) => ({ ...PLAIN, id, threadId: id }));
    const line = '\nSame wallet, posted in the previous day: alert 7, alert 5\n#Politics';
    expect(await post({}, { posted })).toBe((await post({}))?.replace('\n#Politics', line));
    expect(await post({}, { posted, siteUrl: 'https://tipoff.example.com' })).toContain(
      'alert 7 (https://tipoff.example.com/alerts/7), alert 5 (',
    );
    const hidden = { hiddenWallets: [PLAIN.wallet] };
    expect(await post({}, { posted, ...hidden })).toBe(await post({}, hidden));
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

  test('waits while it cannot be known whether the wallet is hidden', async () => {
    await expect(post({}, { hiddenWallets: null })).rejects.toThrow('the database is away');
  });
});

describe('what leads on from a post', () => {
  const buttons = async (channel: 'telegram' | 'discord', kind: 'alert' | 'alert_result' = 'alert') =>
    (await shown(kind, FACTS, [PLAIN], { channel }))?.buttons;

  test('on Telegram: where to look, and a follow, in the post and in its edits', async () => {
    const row = [
      { label: 'Polymarket', url: MARKET },
      { label: 'Follow', url: 'https://t.me/example_bot?start=f_1' },
    ];

    expect(await buttons('telegram')).toEqual([row]);
    expect(await buttons('telegram', 'alert_result')).toEqual([row]);
  });

  test('is not there on Discord until the bot knows its own page; on Telegram the post waits for that', async () => {
    const unknown = { profileUrl: null } as const;

    expect((await shown('alert', FACTS, [PLAIN], { ...unknown, channel: 'discord' }))?.buttons).toEqual([
      [{ label: 'Polymarket', url: MARKET }],
    ]);
    await expect(shown('alert', FACTS, [PLAIN], unknown)).rejects.toThrow('name of the Telegram bot');
  });
});

describe('a post of an alert with a page', () => {
  const SITE = { siteUrl: 'https://tipoff.example.com' };
  const PAGE = `${SITE.siteUrl}/alerts/1`;
  const onSite = (alert: Partial<Alert>, kind: 'alert' | 'alert_update' | 'alert_result' = 'alert') =>
    shown(kind, FACTS, [{ ...PLAIN, ...alert }], SITE);

  test.each(['alert', 'alert_update', 'alert_result'] as const)(
    'shows its picture from a score of 70 on (%s), with another address when there is a result',
    async (kind) => {
      const preview = (version: string) => ({
        page: `${PAGE}?v=${version}`,
        picture: `${PAGE}.png?v=${version}`,
      });
      const lost = { payout: 0, won: false, profitUsdc: -2_000 };
      expect((await onSite({ score: 70 }, kind))?.preview).toEqual(preview('3-open'));
      expect((await onSite({ score: 70, resolution: lost }, kind))?.preview).toEqual(preview('3-paid-0'));
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
      '72 · $12,340 on Yes ❌ lost at 12.5¢ to win $86,383\nSafe? ✅ won $9 log 1:00 evil https://evil.example/x (',
    );
    expect(words).not.toMatch(/[\p{Bidi_Control}\u2028\u2029\r]/u);
  });

  test('that is an address has no preview on Discord', async () => {
    const screen = await shown('alert', FACTS, [{ ...PLAIN, eventTitle: forged }], { channel: 'discord' });

    expect(toMessage(screen as Screen).content).toContain('evil <https://evil.example/x> \\(<');
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
    const log = { seq: Number.MAX_SAFE_INTEGER, hash: HASH };
    const posted = [1, 2, 3].map((at) => ({ ...alert, id: alert.id - at, threadId: alert.id - at }));
    const reads = { posted, exit: exitOf({ number: 1 }), siteUrl: 'https://tipoff.example.com' };
    for (const channel of ['telegram', 'discord'] as const) {
      const resolution = { payout: 0, won: false, profitUsdc: -1e12 };
      const state = { ...whole, eventSlug: 's'.repeat(120), resolution, log };
      const screen = await shown('alert_update', facts, [state], { channel, ...reads });
      const words = plainText(screen as Screen);

      expect(words).toMatch(/^❌ 100 .*\nlog \d+:[0-9a-f]{32}$/s);
      expect(toOnePart((screen as Screen).body).plain).toBe(words);
      expect(toMessage(screen as Screen).content).toMatch(/log `\d+:[0-9a-f]{32}`$/);
      expect(toMessage(screen as Screen).content.length).toBeLessThanOrEqual(2_000);
      expect(toMessage(screen as Screen).components[0]?.components).toHaveLength(2);
    }
  }
});
