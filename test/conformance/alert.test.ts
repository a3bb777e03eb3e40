import { expect, test } from 'vitest';
import { CATEGORIES } from '../../src/core/trades/trade.ts';
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

/** What the contract does not name, in every alert. */
const BESIDES = {
  log: { seq: expect.toSatisfy(Number.isInteger), hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
};

type Served = Record<keyof typeof FIELDS, unknown>;

onRunningService('contract, Alert', (service) => {
  test('`GET /alerts/{id}` returns the full object.', async () => {
    const { call, key } = service();
    const { status, body } = await call('/alerts/7', { key: await key('pro') });
    expect(status).toBe(200);
    expect(body).toEqual({ ...FIELDS, ...BESIDES });
  });

  test('`GET /alerts/latest` returns every field above except `market_id`.', async () => {
    const { call, key } = service();
    const { body } = await call('/alerts/latest?limit=50', { key: await key('pro') });
    const { market_id: _left, ...fields } = FIELDS;
    expect(body).toEqual(new Array(50).fill({ ...fields, ...BESIDES }));
  });

  test('`GET /alerts` items carry `id`, `alert_type`, `wallet_address`, `market_id`, `event_title`, `side`, `outcome`, `entry_price`, `usdc_value`, `signal_score`, `category`, `created_at`.', async () => {
    const { call, key } = service();
    const { body } = await call('/alerts?page_size=50', { key: await key('pro') });
    const leftOut = ['event_slug', 'trade_count', 'resolved', 'won', 'profit_usdc', 'details'];
    const fields = Object.fromEntries(Object.entries(FIELDS).filter(([name]) => !leftOut.includes(name)));
    expect(body.alerts).toEqual(new Array(50).fill(fields));
  });

  test('Details object fields: `wallet_age_days` (integer), `is_accumulating` (boolean), `market_buy_count` (integer), `market_total_bought` (number, USDC), `market_avg_price` (number).', async () => {
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
    ['| id | integer | Unique alert identifier. |', 'id', 9],
    ['| alert_type | string | One of `fresh`, `fresh_accumulator`, `cluster`. |', 'alert_type', 'fresh'],
    [
      '| wallet_address | string | Address of the trading wallet (may be shown abbreviated). |',
      'wallet_address',
      `0x${'0'.repeat(39)}9`,
    ],
    ['| market_id | string | Market identifier. Present in list results. |', 'market_id', '0xmarket9'],
    ['| event_title | string | Market question text. |', 'event_title', 'Will Question 9 come true?'],
    ['| event_slug | string | Market slug. |', 'event_slug', 'question-slug-9'],
    ['| side | string | `BUY` or `SELL`. |', 'side', 'BUY'],
    ['| outcome | string | Outcome traded. |', 'outcome', 'Yes'],
    ['| entry_price | number | Price of the trade. |', 'entry_price', 0.4],
    ['| usdc_value | number | Trade size in USDC. |', 'usdc_value', 1_090],
    ['| signal_score | integer | 0 to 100. |', 'signal_score', 30],
    ['| category | string | One of the categories above. |', 'category', 'world'],
    ['| trade_count | integer | Number of trades in the alert. |', 'trade_count', 1],
    ['| created_at | string | Format `YYYY-MM-DD HH:MM:SS`. |', 'created_at', '2025-12-30 23:30:00'],
    [
      '| details | object | Enrichment, see below. |',
      'details',
      expect.objectContaining({ is_accumulating: false }),
    ],
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
    ['| resolved | boolean | Whether the market has resolved. |', 'resolved', false, true, true],
    ['| won | boolean or null | Null while unresolved. |', 'won', null, false, true],
    ['| profit_usdc | number or null | Null while unresolved. |', 'profit_usdc', null, -2_000, 3_000],
  ];
  test.each(outcomes)('%s', async (_sentence, field, unresolved, lost, won) => {
    const { call, key } = service();
    const secret = await key('pro');
    const fieldOf = async (id: number) => (await call(`/alerts/${id}`, { key: secret })).body[field];
    expect([await fieldOf(1), await fieldOf(4), await fieldOf(8)]).toEqual([unresolved, lost, won]);
  });

  test('Every alert carries a signal score from 0 to 100.', async () => {
    const { call, key } = service();
    const secret = await key('enterprise');
    const pages = await Promise.all(
      [1, 2].map((page) => call(`/alerts?page_size=100&page=${page}`, { key: secret })),
    );
    const scores = pages.flatMap(({ body }) => body.alerts.map((alert: Served) => alert.signal_score));
    expect(scores.length).toBeGreaterThanOrEqual(130);
    expect(scores).toEqual(scores.map(() => FIELDS.signal_score));
  });

  test('`crypto`, `politics`, `world`, `tech`, `finance`, `pop_culture`, `other`.', async () => {
    const { call, key } = service();
    const secret = await key('pro');
    for (const category of CATEGORIES) {
      const { status, body } = await call(`/alerts?category=${category}`, { key: secret });
      expect([status, body.alerts[0].category]).toEqual([200, category]);
    }
    expect((await call('/alerts?category=sports', { key: secret })).status).toBe(422);
  });
});
