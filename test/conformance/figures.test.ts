import { expect, test } from 'vitest';
import { alertOf } from '../support/alerts.ts';
import { ask as askUrl } from '../support/api-server.ts';
import { archive, NOON } from '../support/archive.ts';
import { onRunningService } from './service.ts';

const HOUR = 3_600_000;
const MIDNIGHT = NOON - 12 * HOUR;
const PERIODS = { '1h': HOUR, '6h': 6 * HOUR, '24h': 24 * HOUR, '7d': 168 * HOUR, '30d': 720 * HOUR };
const LISTS = ['most_alerts', 'highest_signal', 'biggest_trades'] as const;

interface HotItem {
  market_id: string;
  alert_count: number;
  avg_signal: number;
  total_usdc: number;
  latest_alert: string;
}

onRunningService('contract, GET /hot-markets', (service) => {
  const hot = async (query: string) =>
    service().call(`/hot-markets${query}`, { key: await service().key('pro') });

  test('`GET /hot-markets` needs no key. `GET /stats` needs a key of any tier.', async () => {
    const { call, key } = service();
    expect((await call('/hot-markets')).status).toBe(200);
    expect((await call('/stats')).status).toBe(401);
    for (const tier of ['free', 'pro', 'enterprise'] as const)
      expect((await call('/stats', { key: await key(tier) })).status).toBe(200);
  });

  test('Fields: `period` (string, echoes the window used), `most_alerts`, `highest_signal`, `biggest_trades` (each an array of hot market items).', async () => {
    const { body } = await hot('?period=7d');
    expect(Object.keys(body).toSorted()).toEqual([
      'biggest_trades',
      'highest_signal',
      'most_alerts',
      'period',
    ]);
    expect([body.period, ...LISTS.map((list) => body[list].length)]).toEqual(['7d', 10, 10, 10]);
  });

  test('### Hot market item: | latest_alert | string, format `YYYY-MM-DDTHH:MM:SS` (no zone suffix) |', async () => {
    const { body } = await hot('?period=30d');
    const of9 = archive().filter(({ marketId }) => marketId === '0xmarket9');
    expect(body.most_alerts.find(({ market_id }: HotItem) => market_id === '0xmarket9')).toEqual({
      market_id: '0xmarket9',
      event_title: 'Will Question 9 come true?',
      event_slug: 'question-slug-9',
      category: 'world',
      alert_count: 13,
      avg_signal: Math.round((of9.reduce((sum, { score }) => sum + score, 0) / 13) * 100) / 100,
      total_usdc: of9.reduce((sum, { usdc }) => sum + usdc, 0),
      latest_alert: '2026-01-02T11:55:00',
    });
  });

  test('Each list is sorted descending by its own metric: `most_alerts` by alert count, `highest_signal` by average score, `biggest_trades` by total USDC.', async () => {
    const { body } = await hot('?period=30d&limit=25');
    const metrics = {
      most_alerts: 'alert_count',
      highest_signal: 'avg_signal',
      biggest_trades: 'total_usdc',
    } as const;
    for (const list of LISTS) {
      const values = body[list].map((item: HotItem) => item[metrics[list]]);
      expect(values).toEqual(values.toSorted((a: number, b: number) => b - a));
    }
  });

  test('| period | string | 24h | `1h`, `6h`, `24h`, `7d`, `30d` |', async () => {
    expect((await hot('')).body.period).toBe('24h');
    for (const [period, length] of Object.entries(PERIODS)) {
      const { body } = await hot(`?period=${period}&limit=25`);
      const inWindow = archive().filter(({ createdAt }) => createdAt >= NOON - length).length;
      const counted = body.most_alerts.reduce((sum: number, item: HotItem) => sum + item.alert_count, 0);
      expect([period, body.period, counted]).toEqual([period, period, inWindow]);
    }
    expect((await hot('?period=2h')).status).toBe(422);
  });

  test('| limit | integer | 10 | 1 to 25, per list |', async () => {
    const { body } = await hot('?period=7d&limit=3');
    expect(LISTS.map((list) => body[list].length)).toEqual([3, 3, 3]);
    for (const [limit, status] of Object.entries({ 1: 200, 25: 200, 0: 422, 26: 422, x: 422 }))
      expect([limit, (await hot(`?limit=${limit}`)).status]).toEqual([limit, status]);
  });

  test('| category | string | none | a category value |', async () => {
    const { body } = await hot('?period=7d&category=world');
    expect(body.most_alerts.map(({ market_id }: HotItem) => market_id).toSorted()).toEqual([
      '0xmarket2',
      '0xmarket9',
    ]);
  });
});

const today = () => archive().filter(({ createdAt }) => createdAt >= MIDNIGHT);

/** Two markets are settled, of which one proves its alerts right. */
const won = () => archive().filter(({ marketId }) => marketId === '0xmarket8');
const resolved = () => [...won(), ...archive().filter(({ marketId }) => marketId === '0xmarket4')];

onRunningService('contract, GET /stats', (service) => {
  const fields: [sentence: string, field: string, value: () => unknown][] = [
    ['| total_alerts | integer | All-time number of alerts. |', 'total_alerts', () => 130],
    ['| alerts_today | integer | Alerts since UTC midnight. |', 'alerts_today', () => today().length],
    [
      "| avg_signal_today | float | Average signal score of today's alerts. |",
      'avg_signal_today',
      () => Math.round((today().reduce((sum, { score }) => sum + score, 0) / today().length) * 100) / 100,
    ],
    [
      '| clusters_today | integer | Times several fresh wallets were caught coordinating buys today. |',
      'clusters_today',
      () => today().filter(({ type }) => type === 'cluster').length,
    ],
    [
      '| win_rate | float | Fraction (0 to 1) of alerts on resolved markets whose trade was correct. |',
      'win_rate',
      () => won().length / resolved().length,
    ],
    [
      '| total_resolved | integer | Alerted markets that have closed. |',
      'total_resolved',
      () => resolved().length,
    ],
    ['| total_won | integer | Of those, alerts that were correct. |', 'total_won', () => won().length],
  ];
  test.each(fields)('%s', async (_sentence, field, value) => {
    const { call, key } = service();
    const { body } = await call('/stats', { key: await key('pro') });
    expect(body[field]).toBe(value());
  });

  // As in keys.test.ts: a busy MongoDB gives way to the local count.
  test('Needs a key of any tier and does not count against the rate limit.', { retry: 2 }, async () => {
    const { call, key } = service();
    const secret = await key('free');
    for (let count = 0; count < 70; count += 1)
      expect((await call('/stats', { key: secret })).status).toBe(200);
    const statuses = [];
    for (let count = 0; count < 61; count += 1) statuses.push((await call('/me', { key: secret })).status);
    expect(statuses).toEqual([...new Array(60).fill(200), 429]);
    expect((await call('/stats', { key: secret })).status).toBe(200);
  });
});

onRunningService('contract, GET /stats, at midnight', (service) => {
  test('Counters reset at UTC midnight.', async () => {
    const { call, key, clock, publish } = service();
    const secret = await key('pro');
    clock.advance(MIDNIGHT + 24 * HOUR - 1 - clock.now());
    expect((await call('/stats', { key: secret })).body.alerts_today).toBe(today().length);
    clock.advance(1);
    expect((await call('/stats', { key: secret })).body).toMatchObject({
      total_alerts: 130,
      alerts_today: 0,
      avg_signal_today: 0,
      clusters_today: 0,
      win_rate: won().length / resolved().length,
    });
    await publish(alertOf({ id: 131, createdAt: clock.now(), score: 61, type: 'cluster' }));
    clock.advance(11_000);
    expect((await call('/stats', { key: secret })).body).toMatchObject({
      total_alerts: 131,
      alerts_today: 1,
      avg_signal_today: 61,
      clusters_today: 1,
    });
  });
});

onRunningService('contract, the service as a whole', (service) => {
  test('All request and response bodies are JSON.', async () => {
    const { call, key } = service();
    const secret = await key('pro');
    const paths = [
      '/alerts',
      '/alerts/latest',
      '/alerts/1',
      '/alerts/0',
      '/stats',
      '/me',
      '/hot-markets',
      '/nothing',
    ];
    for (const path of paths) {
      const { headers, body } = await call(path, { key: secret });
      expect(headers.get('content-type')).toMatch(/^application\/json/);
      expect(body).not.toBeNull();
    }
  });

  test('The base address already includes the path prefix `/api/v1`, and all REST paths below are relative to it. The version is carried in the path prefix `/api/v1`. The API description version is 1.0.', async () => {
    const { address, call } = service();
    expect((await call('/hot-markets')).status).toBe(200);
    expect((await askUrl(`${address}/hot-markets`)).status).toBe(404);
    expect((await askUrl(`${address}/api/v2/hot-markets`)).status).toBe(404);
    const { body } = await call('/openapi.json');
    expect([body.openapi, body.info.version]).toEqual([expect.stringMatching(/^3\.1/), '1.0']);
    // The contract has no files. Those of the record and the feeds are at the root.
    const others = Object.keys(body.paths).filter((path) => !path.startsWith('/api/v1/'));
    expect(others.toSorted()).toEqual(['/feed.json', '/feed.xml', '/record.json']);
  });
});
