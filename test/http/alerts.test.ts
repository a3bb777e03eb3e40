import { describe, expect, test } from 'vitest';
import type { Alert } from '../../src/core/alerts/alert.ts';
import { alertOf } from '../support/alerts.ts';
import { startApi } from '../support/api-server.ts';
import { START } from '../support/rows.ts';

const CREATED = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const WON = { payout: 1, won: true, profitUsdc: 3_000.5 };

async function startWith(...alerts: readonly Alert[]) {
  const api = await startApi();
  await api.append(...alerts);
  api.clock.set(86_400_000);
  const { secret } = await api.issue({ tier: 'enterprise' });
  return { ...api, ask: (path: string) => api.get(path, secret) };
}

describe('GET /alerts/{id}', () => {
  test('returns the full object of the contract, with why it was scored and its three moments', async () => {
    const cluster = alertOf({
      id: 1,
      type: 'cluster',
      createdAt: CREATED,
      tradedAt: CREATED - 3_000,
      detectedAt: CREATED - 2_000,
      shares: 5_000.84,
      resolution: WON,
      details: {
        ...alertOf({ id: 1 }).details,
        positionShares: 5_000.5,
        toWinUsdc: 3_000,
        role: 'maker',
        wallets: ['0xaa', '0xbb', '0xcc'],
        clusterTotal: 6_000.25,
        clusterShares: 14_553.480475,
        clusterAvgPrice: 0.4123,
      },
    });
    const { ask } = await startWith(cluster, alertOf({ id: 2 }));
    const { status, body } = await ask('/alerts/1');
    expect(status).toBe(200);
    expect(body).toEqual({
      log: { seq: 1, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      id: 1,
      alert_type: 'cluster',
      wallet_address: cluster.wallet,
      market_id: '0xm1',
      event_title: 'Will the measure pass?',
      event_slug: 'will-the-measure-pass',
      side: 'BUY',
      outcome: 'Yes',
      entry_price: 0.4,
      usdc_value: 2_000,
      signal_score: 72,
      category: 'politics',
      trade_count: 1,
      created_at: '2026-01-02 03:04:05',
      resolved: true,
      won: true,
      profit_usdc: 3_000.5,
      details: {
        wallet_age_days: 1,
        is_accumulating: false,
        market_buy_count: 1,
        market_total_bought: 2_000,
        market_url: 'https://polymarket.com/event/will-the-measure-pass',
        market_avg_price: 0.4,
        position_profit_usdc: 8_553.23,
        bet: {
          put_in_usdc: 6_000.25,
          mean_price: 0.4123,
          to_win_usdc: 3_000,
          held_share: 1,
          result_usdc: 8_553.23,
        },
        position_shares: 5_000.5,
        position_known: true,
        exits: { state: 'none', exits: [] },
        to_win_usdc: 3_000,
        role: 'maker',
        wallets: ['0xaa', '0xbb', '0xcc'],
        cluster_total: 6_000.25,
        cluster_shares: 14_553.480475,
        cluster_avg_price: 0.4123,
        reasons: [{ factor: 'wallet_age', points: 30, max: 30, note: 'wallet 1 day old' }],
        rule_version: '1',
        thread_id: 1,
        supersedes: null,
        traded_at: '2026-01-02T03:04:02.678Z',
        detected_at: '2026-01-02T03:04:03.678Z',
        published_at: '2026-01-02T03:04:05.678Z',
      },
    });
    // An unknown role.
    expect((await ask('/alerts/2')).body.details.role).toBeNull();
  });
});

describe('GET /alerts', () => {
  const ids = (alerts: { id: number }[]) => alerts.map(({ id }) => id);
  const OTHER_WALLET = '0x00000000000000000000000000000000000000bb';
  const alerts = [
    alertOf({
      id: 1,
      usdc: 1_000,
      score: 40,
      eventTitle: 'Bitcoin up?',
      wallet: OTHER_WALLET,
      marketId: '0xm9',
    }),
    alertOf({ id: 2, usdc: 2_000, score: 60, type: 'cluster', marketId: '0xm2', resolution: WON }),
    alertOf({ id: 3, usdc: 3_000, score: 80, eventSlug: 'bitcoin-slug' }),
  ];
  const at = (id: number, extraMs = 0) => new Date(START + id * 1_000 + extraMs).toISOString();

  test.each([
    ['alert_type=cluster', [2]],
    ['search=BITCOIN', [3, 1]],
    ['search=', [3, 2, 1]],
    [`wallet=${OTHER_WALLET.toUpperCase().replace('X', 'x')}`, [1]],
    ['market=0XM9', [1]],
    ['market=Bitcoin-SLUG', [3]],
    ['market=bitcoin', []],
    ['resolved=true', [2]],
    ['resolved=false', [3, 1]],
    ['since=2026-01-02%2000:00:02', [3, 2]],
    ['since=2026-01-02T00:00:03', [3]],
    [`since=${at(2, 1)}`, [3]],
    ['since=2026-01-02T01:00:02+01:00', [3, 2]],
    ['since=2026-01-02T01:00:02%2B01:00', [3, 2]],
    ['until=2026-01-02T00:00:02Z', [2, 1]],
    [`until=${at(2, -1)}`, [1]],
    ['category=politics&min_signal=60&search=measure&until=2026-01-02T00:00:02Z', [2]],
  ])('%s gives %j', async (query, expected) => {
    const { ask } = await startWith(...alerts);
    const { status, body } = await ask(`/alerts?${query}`);
    expect([status, ids(body.alerts ?? []), body.total]).toEqual([200, expected, expected.length]);
  });

  test('until a second includes the alerts that are shown with it', async () => {
    const { ask } = await startWith(alertOf({ id: 1, createdAt: CREATED }));
    const { body } = await ask('/alerts');
    const shown = encodeURIComponent(body.alerts[0].created_at);
    expect((await ask(`/alerts?since=${shown}&until=${shown}`)).body.total).toBe(1);
  });
});
