import { describe, expect, test } from 'vitest';
import type { Alert } from '../../../src/core/alerts/alert.ts';
import { HOUR_MS, MINUTE_MS } from '../../../src/core/duration.ts';
import { DELAY_MS, HASH, MARKET, NOTE, NOW, PLAIN, type Reads, shown, text } from './presenter-fixture.ts';

const WALLET = 'https://polymarket.com/profile/0x00000000000000000000000000000000000000aa';

const FACTS = { alertId: 1, marketId: '0xm1', threadId: 1 };

const post = (alert: Partial<Alert>, reads?: Reads) => text('alert', FACTS, [{ ...PLAIN, ...alert }], reads);
const edit = (alert: Partial<Alert>) => text('alert_update', FACTS, [{ ...PLAIN, ...alert }]);

describe('a post of an alert', () => {
  test('names the market, the trade, the score with its reasons, the wallet and where to look', async () => {
    expect(await post({})).toBe(
      `🔔 Suspicious trade by a new wallet
Will the measure pass?
Bought Yes at 12.5¢ for $12,340

███████░░░ 72 of 100
+30 wallet 1 day old

Wallet 0x0000…00aa (${WALLET}) · traded 2026-11-21 19:58 UTC · posted 17 min later · Market (${MARKET})
${NOTE}`,
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

  test('of a cluster names its wallets and their sum', async () => {
    const members = { wallets: ['0xa', '0xb', '0xc'], clusterTotal: 45_000, clusterAvgPrice: 0.121 };
    const words = await post({ type: 'cluster', details: { ...PLAIN.details, ...members } });

    expect(words).toContain('Will the measure pass?\n3 new wallets bought Yes: $45,000 at 12.1¢\n');
    expect(words).toContain('\nLast wallet 0x0000…00aa (');
  });

  test('has its outcome once there is one, a loss as plainly as a win', async () => {
    const won = { payout: 1, won: true, profitUsdc: 1_234.4 };
    const lost = { payout: 0, won: false, profitUsdc: -2_000 };

    expect(await post({ resolution: won })).toMatch(/\n\n✅ Right: \+\$1,234 on the order$/);
    const edited = await text('alert_result', FACTS, [{ ...PLAIN, resolution: lost }]);
    expect(edited).toBe(`${await edit({})}\n\n❌ Wrong: −$2,000 on the order`);
  });

  test('of an accumulator names its position first', async () => {
    const position = { marketBuyCount: 6, marketTotalBought: 30_000, marketAvgPrice: 0.12 };
    const details = { ...PLAIN.details, ...position };

    expect(await post({ type: 'fresh_accumulator', details })).toContain(
      '\nBought Yes: $30,000 in 6 buys at 12¢ on average, the last $12,340\n',
    );
  });

  test('that showed an earlier alert of its thread says so directly below the trade', async () => {
    const won = { payout: 1, won: true, profitUsdc: 1_234.4 };
    const trade = 'Bought Yes at 12.5¢ for $12,340\n';
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
      new RegExp(`traded 2026-11-2\\d \\d\\d:\\d\\d UTC · posted ${words} later · Market`),
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
      `\n\nWallet: a hidden wallet · traded 2026-11-21 19:58 UTC · posted 17 min later · Market (${MARKET})\n`,
    );
    expect(await post({ type: 'cluster' }, hidden)).toContain('\nLast wallet: a hidden wallet · traded');
    expect(await post({}, shownAgain)).toBe(await post({}));
  });

  test('waits while it cannot be known whether the wallet is hidden', async () => {
    await expect(post({}, { statements: null })).rejects.toThrow('the database is away');
  });

  test('ends with the alert’s own entry of the log, and not a newer one', async () => {
    const headAt = () => ({ sequence: 99, hash: 'f'.repeat(64) });
    const words = await post({ log: { sequence: 1_234, hash: HASH } }, { headAt });

    expect(words).toBe(`${await post({})}\nlog 1234:3f9a0c12e4b8d7aa0000000000000000`);
    expect(await post({}, { headAt })).not.toContain('log ');
  });

  test('shows the market in bold and never says insider', async () => {
    const screen = await shown('alert', FACTS);

    expect(screen?.body[0]).toContainEqual({ bold: 'Will the measure pass?' });
    expect(JSON.stringify(screen)).not.toMatch(/insider/i);
  });
});

describe('what was above the posts of an hour', () => {
  const hourStart = Date.UTC(2026, 10, 21, 19);

  test('is listed with the strongest first', async () => {
    const alerts = [PLAIN, { ...PLAIN, id: 2, threadId: 2, score: 90, eventTitle: 'Another?' }];

    expect(await text('more_alerts', { alertIds: [1, 2], hourStart }, alerts)).toBe(
      `2 more suspicious trades
2026-11-21 19:00 to 20:00 UTC

Another? (${MARKET})
Bought Yes at 12.5¢ for $12,340 · score 90

Will the measure pass? (${MARKET})
Bought Yes at 12.5¢ for $12,340 · score 72`,
    );
  });

  test('has the newest head of the log that is as old as the channel’s delay', async () => {
    const asked: number[] = [];
    const headAt = (until: number) => {
      asked.push(until);
      return { sequence: 1_234, hash: HASH };
    };
    const list = await text('more_alerts', { alertIds: [1], hourStart }, undefined, { headAt });

    expect(list).toMatch(/^1 more .*\n.* UTC\nlog 1234:3f9a0c12e4b8d7aa0000000000000000\n\n/);
    expect(asked).toEqual([NOW - DELAY_MS]);
  });

  test('has a line for each thread: its newest alert', async () => {
    const ofThread = (id: number, threadId: number) => ({
      ...PLAIN,
      ...{ id, threadId, score: 60 + id, eventTitle: `Alert ${id}?` },
    });
    const alerts = [
      ofThread(1, 1),
      ofThread(2, 2),
      ofThread(3, 1),
      { ...PLAIN, id: 4, threadId: 4, score: 0 },
    ];
    const list = await text('more_alerts', { alertIds: [1, 2, 3, 4], hourStart }, alerts);

    expect(list).toMatch(/^3 more suspicious trades\n/);
    expect(list?.match(/^(Alert \d|Will the)/gm)).toEqual(['Alert 3', 'Alert 2', 'Will the']);
  });

  test('fits into a message however much there is, and nothing is none', async () => {
    const alerts = Array.from({ length: 300 }, (_, index) => ({
      ...PLAIN,
      id: index + 1,
      threadId: index + 1,
    }));
    const list = await text('more_alerts', { alertIds: alerts.map(({ id }) => id), hourStart }, alerts);

    expect(list?.length).toBeLessThanOrEqual(3_500);
    expect(list).toMatch(/\n\n… and 2\d\d more$/);
    expect(await text('more_alerts', { alertIds: [], hourStart })).toBeNull();
  });
});
