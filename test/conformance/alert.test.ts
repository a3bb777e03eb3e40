import { expect, test } from 'vitest';
import { CATEGORIES } from '../../src/core/trades/trade.ts';
import { ITEM_FIELDS } from '../support/item-fields.ts';
import { SENTENCES } from './sentences.ts';
import { onRunningService } from './service.ts';

const FIELDS = {
  id: expect.toSatisfy(Number.isInteger),
  alert_type: expect.toSatisfy((type) => ['fresh', 'fresh_accumulator', 'cluster'].includes(type)),
  wallet_address: expect.stringMatching(/^0x[0-9a-f]{40}$/),
  market_id: expect.stringMatching(/./),
  event_title: expect.stringMatching(/./),
  event_slug: expect.stringMatching(/./),
  side: expect.stringMatching(/^(BUY|SELL)$/),
  outcome: expect.stringMatching(/./),
  entry_price: expect.any(Number),
  usdc_value: expect.any(Number),
  signal_score: expect.toSatisfy((score) => Number.isInteger(score) && score >= 0 && score <= 100),
  category: expect.toSatisfy((category) => CATEGORIES.includes(category)),
  trade_count: expect.toSatisfy(Number.isInteger),
  created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
  resolved: expect.any(Boolean),
  won: expect.toSatisfy((won) => won === null || typeof won === 'boolean'),
  profit_usdc: expect.toSatisfy((profit) => profit === null || typeof profit === 'number'),
  details: expect.any(Object),
};

/** What the contract does not name, in every alert; null in those that no ledger wrote. */
const BESIDES = { log: null };

type Served = Record<keyof typeof FIELDS, unknown>;

onRunningService('contract, Alert', (service) => {
  test(SENTENCES.byIdFields, async () => {
    const { call, key } = service();
    const { status, body } = await call('/alerts/7', { key: await key('pro') });
    expect(status).toBe(200);
    expect(body).toEqual({ ...FIELDS, ...BESIDES });
  });

  test(SENTENCES.latestFields, async () => {
    const { call, key } = service();
    const { body } = await call('/alerts/latest?limit=50', { key: await key('pro') });
    const { market_id: _left, ...fields } = FIELDS;
    expect(body).toEqual(new Array(50).fill({ ...fields, ...BESIDES }));
  });

  test(SENTENCES.itemFields, async () => {
    const { call, key } = service();
    const { body } = await call('/alerts?page_size=50', { key: await key('pro') });
    const fields = Object.fromEntries(ITEM_FIELDS.map((name) => [name, FIELDS[name]]));
    expect(body.alerts).toEqual(new Array(50).fill(fields));
  });

  test(SENTENCES.details, async () => {
    const { call, key } = service();
    const { body } = await call('/alerts/7', { key: await key('pro') });
    expect(body.details).toMatchObject({
      wallet_age_days: expect.toSatisfy(Number.isInteger),
      is_accumulating: expect.any(Boolean),
      market_buy_count: expect.toSatisfy(Number.isInteger),
      market_total_bought: expect.any(Number),
      market_avg_price: expect.any(Number),
    });
  });

  const values: [sentence: string, field: keyof Served, value: unknown][] = [
    [SENTENCES.alertId, 'id', 9],
    [SENTENCES.alertType, 'alert_type', 'fresh'],
    [SENTENCES.alertWallet, 'wallet_address', `0x${'0'.repeat(39)}9`],
    [SENTENCES.alertMarket, 'market_id', '0xmarket9'],
    [SENTENCES.alertTitle, 'event_title', 'Will Question 9 come true?'],
    [SENTENCES.alertSlug, 'event_slug', 'question-slug-9'],
    [SENTENCES.alertSide, 'side', 'BUY'],
    [SENTENCES.alertOutcome, 'outcome', 'Yes'],
    [SENTENCES.alertPrice, 'entry_price', 0.4],
    [SENTENCES.alertUsdc, 'usdc_value', 1_090],
    [SENTENCES.alertScore, 'signal_score', 30],
    [SENTENCES.alertCategory, 'category', 'world'],
    [SENTENCES.alertTrades, 'trade_count', 1],
    [SENTENCES.alertCreated, 'created_at', '2025-12-30 23:30:00'],
    [SENTENCES.alertDetails, 'details', expect.objectContaining({ is_accumulating: false })],
  ];
  test.each(values)('%s', async (_sentence, field, value) => {
    const { call, key } = service();
    expect((await call('/alerts/9', { key: await key('pro') })).body[field]).toEqual(value);
  });

  const outcomes: [
    sentence: string,
    field: keyof Served,
    unresolved: unknown,
    lost: unknown,
    won: unknown,
  ][] = [
    [SENTENCES.alertResolved, 'resolved', false, true, true],
    [SENTENCES.alertWon, 'won', null, false, true],
    [SENTENCES.alertProfit, 'profit_usdc', null, -2_000, 3_000],
  ];
  test.each(outcomes)('%s', async (_sentence, field, unresolved, lost, won) => {
    const { call, key } = service();
    const secret = await key('pro');
    const fieldOf = async (id: number) => (await call(`/alerts/${id}`, { key: secret })).body[field];
    expect([await fieldOf(1), await fieldOf(4), await fieldOf(8)]).toEqual([unresolved, lost, won]);
  });

  test(SENTENCES.scored, async () => {
    const { call, key } = service();
    const secret = await key('enterprise');
    const pages = await Promise.all(
      [1, 2].map((page) => call(`/alerts?page_size=100&page=${page}`, { key: secret })),
    );
    const scores = pages.flatMap(({ body }) => body.alerts.map((alert: Served) => alert.signal_score));
    expect(scores.length).toBeGreaterThanOrEqual(130);
    expect(scores).toEqual(scores.map(() => FIELDS.signal_score));
  });

  test(SENTENCES.categories, async () => {
    const { call, key } = service();
    const secret = await key('pro');
    for (const category of CATEGORIES) {
      const { status, body } = await call(`/alerts?category=${category}`, { key: secret });
      expect([status, body.alerts[0].category]).toEqual([200, category]);
    }
    expect((await call('/alerts?category=sports', { key: secret })).status).toBe(422);
  });
});
