import { describe, expect, test } from 'vitest';
import { alertOf } from '../support/alerts.ts';
import { FREE_DELAY_MS, startApi } from '../support/api-server.ts';
import { START } from '../support/rows.ts';
import { settleMarket } from '../support/stored.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ASKED_AT = START + 40 * DAY + 6 * HOUR;
const ago = (ms: number) => ASKED_AT - ms;

const ALERTS = [
  alertOf({ id: 1, createdAt: ago(30 * DAY) - 1 }),
  alertOf({ id: 2, createdAt: ago(30 * DAY), score: 90, entryPrice: 0.3 }),
  alertOf({ id: 3, createdAt: ago(2 * DAY), category: 'crypto', side: 'SELL', entryPrice: 0.2 }),
  alertOf({ id: 4, createdAt: ago(2 * DAY), category: 'tech', marketId: '0xm2', entryPrice: 0.65 }),
  alertOf({ id: 5, createdAt: ago(HOUR), category: 'crypto', marketId: '0xm3', score: 60 }),
  alertOf({ id: 6, createdAt: ago(FREE_DELAY_MS) + 1, marketId: '0xm3' }),
];

async function startWithAlerts() {
  const api = await startApi();
  await api.append(...ALERTS);
  for (const marketId of ['0xm1', '0xm2']) await settleMarket(api.database, { marketId });
  api.clock.set(ASKED_AT - START);
  const { secret } = await api.issue({ tier: 'enterprise' });
  return { ...api, secret, preview: async (query = '') => api.get(`/alerts/preview${query}`, secret) };
}

describe('GET /alerts/preview tries a filter on the last 30 days', () => {
  test('alerts a day, what became of them, and the three newest as the archive lists them', async () => {
    const { preview, get, issue } = await startWithAlerts();
    const { status, body } = await preview();
    expect(status).toBe(200);
    const { daily, newest, ...figures } = body;
    expect(figures).toEqual({
      days: 30,
      since: '2026-01-12 06:00:00',
      until: '2026-02-11 06:00:00',
      total: 5,
      alerts_per_day: 0.17,
      resolved: 3,
      won: 2,
      win_rate: 0.6667,
      average_entry: 0.5833,
      edge: 0.0833,
      // One market is half right at 0.55, the other right at 0.65.
      markets: { resolved: 2, win_rate: 0.75, average_entry: 0.6, edge: 0.15 },
    });
    expect(daily).toHaveLength(31);
    expect(daily.filter(({ alerts }: { alerts: number }) => alerts > 0)).toEqual([
      { date: '2026-01-12', alerts: 1 },
      { date: '2026-02-09', alerts: 2 },
      { date: '2026-02-11', alerts: 2 },
    ]);
    expect([daily[0].date, daily[30].date]).toEqual(['2026-01-12', '2026-02-11']);
    const { secret } = await issue({ tier: 'pro' });
    expect(newest).toEqual((await get('/alerts?page_size=3', secret)).body.alerts);
  });

  test('rates are null, not 0, while nothing is resolved', async () => {
    const { preview } = await startWithAlerts();
    const none = { resolved: 0, won: 0, win_rate: null, average_entry: null, edge: null };
    expect((await preview('?resolved=false')).body).toMatchObject({ total: 2, ...none });
    expect((await preview('?search=nothing')).body).toMatchObject({
      total: 0,
      alerts_per_day: 0,
      newest: [],
      ...none,
    });
  });
});
