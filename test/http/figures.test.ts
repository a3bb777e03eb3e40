import { describe, expect, test } from 'vitest';
import { Figures } from '../../src/core/alerts/archive/figures.ts';
import { alertOf } from '../support/alerts.ts';
import { startApi } from '../support/api-server.ts';
import { START } from '../support/rows.ts';
import { idleArchive } from '../support/schedules.ts';

const HOUR = 3_600_000;

describe('GET /hot-markets', () => {
  async function startWithMarkets() {
    const api = await startApi();
    await api.append(
      alertOf({ id: 1, marketId: 'old', createdAt: START - 2 * HOUR, usdc: 9_000.004 }),
      alertOf({ id: 2, marketId: 'busy', createdAt: START - 1_000, score: 50, usdc: 10 }),
      alertOf({ id: 3, marketId: 'busy', createdAt: START - 500, score: 51, usdc: 20.126 }),
      alertOf({ id: 4, marketId: 'loud', createdAt: START - 500, score: 90, usdc: 25, category: 'crypto' }),
    );
    const { secret } = await api.issue({ tier: 'pro' });
    const hot = async (query = '') => api.get(`/hot-markets${query}`, secret);
    return { ...api, hot };
  }
  const marketsOf = (list: { market_id: string }[]) => list.map(({ market_id }) => market_id);

  test('three lists, each sorted by its own metric, and the window echoed (contract, Hot markets response)', async () => {
    const { hot } = await startWithMarkets();
    const { status, body } = await hot();
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['period', 'most_alerts', 'highest_signal', 'biggest_trades']);
    expect(body.period).toBe('24h');
    expect(body.most_alerts[0]).toEqual({
      market_id: 'busy',
      event_title: 'Will the measure pass?',
      event_slug: 'will-the-measure-pass',
      category: 'politics',
      alert_count: 2,
      avg_signal: 50.5,
      total_usdc: 30.13,
      latest_alert: '2026-01-01T23:59:59',
    });
    expect(marketsOf(body.highest_signal)).toEqual(['loud', 'old', 'busy']);
    expect(marketsOf(body.biggest_trades)).toEqual(['old', 'busy', 'loud']);
  });
});

describe('GET /stats', () => {
  test('win_rate is the fraction of the resolved alerts that were right', async () => {
    const stats = {
      totalAlerts: 9,
      alertsToday: 0,
      avgScoreToday: 0,
      clustersToday: 0,
      totalResolved: 8,
      totalWon: 3,
    };
    const { database, clock } = await startApi();
    const figures = new Figures({
      alerts: { ...database.alerts, stats: async () => stats },
      clock,
      archive: idleArchive(),
    });
    const { get, issue } = await startApi({ figures });
    const { secret } = await issue();
    expect((await get('/stats', secret)).body).toMatchObject({
      win_rate: 0.375,
      total_resolved: 8,
      total_won: 3,
    });
  });
});
