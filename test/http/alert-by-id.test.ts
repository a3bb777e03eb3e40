import { describe, expect, test } from 'vitest';
import { alertOf } from '../support/alerts.ts';
import { cluster, startWith } from './alerts-fixture.ts';

describe('GET /alerts/{id}', () => {
  test('returns the full object of the contract, with why it was scored and its three moments', async () => {
    const { ask } = await startWith(cluster);
    const { status, body } = await ask('/alerts/1');
    expect(status).toBe(200);
    expect(body).toEqual({
      log: null,
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
        market_avg_price: 0.4,
        position_profit_usdc: 8_553.23,
        position_shares: 5_000.5,
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
        published_at: '2026-01-02T03:04:04.678Z',
      },
    });
  });

  test('the role of an alert made before roles were recorded is null, as one that is unknown', async () => {
    const plain = alertOf({ id: 1 });
    const { ask } = await startWith(plain, {
      ...alertOf({ id: 2 }),
      details: { ...plain.details, role: null },
    });
    for (const id of [1, 2]) expect((await ask(`/alerts/${id}`)).body.details.role).toBeNull();
  });

  test.each(['2', '0', '-1', '9007199254740993', '99999999999999999999999999'])(
    'an unknown id %s is a 404 that names it (contract, Errors)',
    async (id) => {
      const { ask } = await startWith(alertOf({ id: 1 }));
      const { status, body } = await ask(`/alerts/${id}`);
      expect([status, body]).toEqual([
        404,
        { detail: `Alert ${id} was not found.`, code: 'alert_not_found' },
      ]);
    },
  );

  test.each(['abc', '1.5', '1e3', '0x1', '%20', 'null'])('%s is no id: 422', async (id) => {
    const { ask } = await startWith();
    const { status, body } = await ask(`/alerts/${id}`);
    expect(status).toBe(422);
    expect(body.detail).toMatchObject([{ loc: ['path', 'id'], type: 'int_parsing' }]);
  });
});
