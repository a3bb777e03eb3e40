import { describe, expect, test } from 'vitest';
import { toMessage } from '../../../bots/discord/screen-message.ts';
import { createPresenter } from '../../../bots/shared/posts/create-presenter.ts';
import { plainText, type Screen } from '../../../bots/shared/screen.ts';
import type { Alert } from '../../../src/core/alerts/alert.ts';
import type { ChatFacts, ChatKind, ChatMessage, DailyDigest } from '../../../src/core/chat/chat-message.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/duration.ts';
import type { LogHead } from '../../../src/core/log/log-entry.ts';
import type { Statement } from '../../../src/core/statements/statement-store.ts';
import { alertOf } from '../../support/alerts.ts';

const NOW = Date.UTC(2026, 10, 21, 20, 15);
const MARKET = 'https://polymarket.com/market/will-the-measure-pass';
const NOTE = 'No proof and no advice: /about in the bot says what an alert means.';
const WALLET = 'https://polymarket.com/profile/0x00000000000000000000000000000000000000aa';

const FACTS = { alertId: 1, marketId: '0xm1', threadId: 1 };
const PLAIN = alertOf({ id: 1, tradedAt: NOW - 17 * MINUTE_MS, entryPrice: 0.125, usdc: 12_340.4 });

const HASH = '3f9a0c12e4b8d7aa'.padEnd(64, '0');
const DELAY_MS = 5 * MINUTE_MS;

/** What the presenter reads beside the alerts: nothing is stated and nothing is in the log unless given; null is away. */
interface Reads {
  readonly statements?: readonly Pick<Statement, 'kind'>[] | null;
  readonly headAt?: (until: number) => LogHead | null;
}

async function shown<Kind extends ChatKind>(
  kind: Kind,
  facts: ChatFacts[Kind],
  alerts: readonly Alert[] = [PLAIN],
  { statements = [], headAt = () => null }: Reads = {},
): Promise<Screen | null> {
  const byId = new Map(alerts.map((alert) => [alert.id, alert]));
  const present = createPresenter({
    alerts: { byId: async (id) => byId.get(id) ?? null },
    statements: {
      async ofWallet() {
        if (statements === null) throw new Error('the database is away');
        return statements as readonly Statement[];
      },
    },
    log: { headAt: async (until) => headAt(until) },
    channelDelayMs: DELAY_MS,
    clock: { now: () => NOW },
  });
  const state = { state: 'sending', attempts: 0, error: null, place: null, sentAt: null } as const;
  const rest = { id: 'a', recipient: 'channel:telegram', createdAt: NOW, dueAt: NOW } as const;
  return present({ ...rest, ...state, kind, facts } as unknown as ChatMessage);
}

async function text<Kind extends ChatKind>(
  kind: Kind,
  facts: ChatFacts[Kind],
  alerts?: readonly Alert[],
  reads?: Reads,
) {
  const screen = await shown(kind, facts, alerts, reads);
  return screen === null ? null : plainText(screen);
}

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

describe('the digest of a day', () => {
  const DIGEST: DailyDigest = {
    day: '2026-11-20',
    alerts: 4,
    byType: { cluster: 1, fresh: 2, fresh_accumulator: 1 },
    topAlertIds: [1, 9],
    hotMarkets: [{ title: 'Hot?', slug: 'hot', alerts: 2, usdc: 45_000 }],
    results: { won: 1, lost: 2, profitUsdc: -1_000 },
    record: { resolved: 1_200, markets: 20, won: 720, averageEntry: 0.551 },
  };

  test('has the strongest alerts, hot markets, and results with their losses', async () => {
    expect(await text('daily_digest', DIGEST)).toBe(
      `The day in suspicious trades: 2026-11-20 (UTC)
4 alerts: 2 new wallets, 1 accumulating wallet, 1 cluster.

Results
Settled so far: 1 right, 2 wrong. Sum of the orders: −$1,000 before fees.
Last 30 days: 60.0 % of 1,200 settled alerts were right. At the prices paid, 55.1 % was needed to break even.
${NOTE}

Strongest

Will the measure pass? (${MARKET})
Bought Yes at 12.5¢ for $12,340 · score 72

Hot markets
Hot? (https://polymarket.com/market/hot): 2 alerts, orders of $45,000`,
    );
  });

  test('has the newest head of the log at the channel’s delay, whole, where Discord does not cut it', async () => {
    const asked: number[] = [];
    const headAt = (until: number) => {
      asked.push(until);
      return { sequence: 1_234, hash: HASH };
    };
    const alerts = [1, 2, 3, 4, 5].map((id) => ({ ...PLAIN, id, threadId: id, eventTitle: 'x'.repeat(200) }));
    const facts = { ...DIGEST, topAlertIds: alerts.map(({ id }) => id) };
    const screen = await shown('daily_digest', facts, alerts, { headAt });

    expect(toMessage(screen as Screen).content).toContain(`**Log**\n\`1234:${HASH}\``);
    expect(toMessage(screen as Screen).content.length).toBeLessThanOrEqual(2_000);
    expect(asked).toEqual([NOW - DELAY_MS]);
  });

  test('says that fewer than 20 settled markets are too few; where they were not counted, alerts', async () => {
    const line = async (record: DailyDigest['record']) =>
      (await text('daily_digest', { ...DIGEST, record }))?.split('\n').find((one) => /30 days/.test(one));
    const record = { resolved: 1_200, won: 720, averageEntry: 0.551 };
    const enough = 'Last 30 days: 60.0 % of 1,200 settled alerts were right.';

    expect(await line({ ...record, markets: 19 })).toBe(
      'Last 30 days: alerts in 19 settled markets, 720 of 1,200 right: too few to say.',
    );
    expect(await line({ ...record, markets: 20 })).toContain(enough);
    expect(await line({ resolved: 1, markets: 1, won: 1, averageEntry: 0.5 })).toBe(
      'Last 30 days: alerts in 1 settled market, 1 of 1 right: too few to say.',
    );
    expect(await line(record)).toContain(enough);
    expect(await line({ ...record, resolved: 19, won: 9 })).toBe(
      'Last 30 days: settled alerts, 9 of 19 right: too few to say.',
    );
  });

  test('of a day without alerts says so', async () => {
    const none = { alerts: 0, byType: {}, topAlertIds: [], hotMarkets: [] };
    const nothing = { won: 0, lost: 0, profitUsdc: 0 };
    const record = { resolved: 0, won: 0, averageEntry: null };

    expect(await text('daily_digest', { ...DIGEST, ...none, results: nothing, record })).toBe(
      `The day in suspicious trades: 2026-11-20 (UTC)
No alerts that day.

Results
No alert of the last 30 days is settled yet.
${NOTE}`,
    );
  });
});

describe('messages to one person', () => {
  const endsAt = Date.UTC(2026, 10, 24, 20, 15);

  test('a webhook keeps failing', async () => {
    const facts = { webhookId: 'wh_a', url: 'https://example.com/hook', failures: 20 };
    expect(await text('webhook_failing', facts)).toBe(
      `Your webhook keeps failing.

The last 20 deliveries to https://example.com/hook failed. New alerts still go there; the failed ones are not sent again.

Why they failed is in its log: GET /webhooks/wh_a/deliveries.`,
    );
  });

  test('a key works', async () => {
    expect(await text('key_first_used', { keyId: 'key_a', name: 'Ann 1' })).toBe(
      'Your key Ann 1 works: first call just now.',
    );
  });

  test('a key was seen in public, with a button for a new secret', async () => {
    const facts = { keyId: 'key_a', name: 'Ann 1', place: 'the Telegram channel' };
    const screen = await shown('key_leaked', facts);

    expect(plainText(screen ?? { body: [] })).toBe(
      `Your key was seen in public.

Your key Ann 1 was posted in the Telegram channel. We delete such messages, but others may have read it: take a new secret now.`,
    );
    expect(screen?.buttons).toEqual([[{ label: 'New secret', action: 'rotate:key_a' }]]);
  });

  test('a trial ends, and has ended', async () => {
    expect(await text('trial_reminder', { endsAt })).toBe(
      `Your Pro trial ends in 3 days.

On 2026-11-24 20:15 UTC your keys become Free keys. They keep working, with the limits of Free.`,
    );
    expect(await text('trial_reminder', { endsAt: NOW + DAY_MS })).toContain('ends in 1 day.');
    expect(await text('trial_ended', { endsAt })).toBe(
      `Your Pro trial has ended.

Since 2026-11-24 20:15 UTC your keys are Free keys. They keep working, with the limits of Free.`,
    );
  });

  test('a reminder that waited for a bot that was off says what is left now, and nothing after the end', async () => {
    expect(await text('trial_reminder', { endsAt: NOW + 2 * DAY_MS - 1 })).toContain('ends in 2 days.');
    expect(await text('trial_reminder', { endsAt: NOW })).toBeNull();
  });

  test('a token is refused, and accepted again: which bot, since when, and why', async () => {
    const since = NOW - 20 * MINUTE_MS;
    const detail = 'getUpdates: 401 Unauthorized';
    expect(await text('token_refused', { bot: 'telegram', since, detail })).toBe(
      `The Telegram bot does not work.

Telegram refuses its token, TELEGRAM_BOT_TOKEN, since 2026-11-21 19:55 UTC: getUpdates: 401 Unauthorized

It is retried at least every 15 minutes. A new token needs a restart.`,
    );
    expect(await text('token_accepted', { bot: 'discord', since, until: NOW })).toBe(
      `The Discord bot works again.

Discord refused its token from 2026-11-21 19:55 UTC to 2026-11-21 20:15 UTC.`,
    );
    expect(await text('token_refused', { bot: 'telegram_admin', since, detail })).toContain(
      'TELEGRAM_ADMIN_BOT_TOKEN',
    );
  });

  test('the operator’s own words stay as they are', async () => {
    expect(await text('operator_note', { text: 'Your trial was extended.' })).toBe(
      'Your trial was extended.',
    );
    expect(await text('broadcast', { text: '<b>Hello</b>' })).toBe('<b>Hello</b>');
  });
});
