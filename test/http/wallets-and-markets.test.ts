import { describe, expect, test } from 'vitest';
import type { Alert } from '../../src/core/alerts/alert.ts';
import { DAY_MS } from '../../src/core/base/time/duration.ts';
import { marketOf } from '../infra/database/watched.ts';
import { alertOf } from '../support/alerts.ts';
import { startApi } from '../support/api-server.ts';
import { START } from '../support/rows.ts';
import { settleMarket } from '../support/stored.ts';

const WALLET = `0x${'ab'.repeat(20)}`;
const WON = { payout: 1, won: true, profitUsdc: 3_000 };

async function startWith(...alerts: readonly Alert[]) {
  const api = await startApi();
  await api.append(...alerts);
  api.clock.set(DAY_MS);
  const { secret } = await api.issue({ tier: 'enterprise' });
  return { ...api, ask: (path: string) => api.get(path, secret) };
}

describe('GET /wallets/{address}', () => {
  test('shows the alerts of a wallet, in either case of its address, and what they came to', async () => {
    const alerts = Array.from({ length: 12 }, (_, index) =>
      alertOf({
        id: index + 1,
        wallet: WALLET,
        marketId: `0xm${index}`,
        resolution: index < 11 ? WON : null,
      }),
    );
    const { details, ...cluster } = alertOf({ id: 13, type: 'cluster' });
    const members = { ...details, wallets: [cluster.wallet, WALLET], clusterTotal: 9_000 };
    const { ask } = await startWith(...alerts, { ...cluster, details: members });
    const { status, headers, body } = await ask(`/wallets/0x${'AB'.repeat(20)}?page_size=5`);
    expect([status, body.alerts.map(({ id }: Alert) => id)]).toEqual([200, [12, 11, 10, 9, 8]]);
    expect(headers.get('link')).toBe(
      `</api/v1/wallets/0x${'AB'.repeat(20)}?page_size=5&before_id=8>; rel="next"`,
    );
    expect(body).toMatchObject({
      wallet_address: WALLET,
      first_seen: '2026-01-02 00:00:01',
      age_days_at_first_alert: 1,
      total: 12,
      has_more: true,
      record: { settled_markets: 11, won: 11, lost: 0, win_rate: 1, profit_usdc: 33_000, reason: null },
      clusters: { total: 1, newest: [{ id: 13, members: 2, total_usdc: 9_000 }] },
    });
    const { total, newest } = body.positions;
    expect([total, newest[1]]).toEqual([
      12,
      {
        ...{ market_id: '0xm10', event_title: 'Will the measure pass?', event_slug: 'will-the-measure-pass' },
        ...{ side: 'BUY', outcome: 'Yes', total_usdc: 2_000, shares: 5_000, avg_price: 0.4 },
        ...{ payout: 1, profit_usdc: 3_000, alert_ids: [11] },
      },
    ]);
    const older = await ask(`/wallets/${WALLET}?page_size=20&before_id=8&expand=details`);
    expect((await ask('/alerts/7')).body).toMatchObject(older.body.alerts[0]);
    expect([older.body.alerts.length, older.body.has_more, older.headers.get('link')]).toEqual([
      7,
      false,
      null,
    ]);
  });

  test('an address that no alert names is a 404, one that is none a 422', async () => {
    const { ask } = await startWith(alertOf({ id: 1 }));
    expect(await ask(`/wallets/${WALLET}`)).toMatchObject({
      status: 404,
      body: { detail: `Wallet ${WALLET} was not found: no alert names it.` },
    });
    const detail = [
      {
        loc: ['path', 'address'],
        msg: 'Input should be a wallet address: 0x and 40 hexadecimal digits',
        type: 'string_pattern_mismatch',
      },
    ];
    for (const wrong of [`${WALLET}0`, `${WALLET.slice(0, 41)}g`, 'x'])
      expect(await ask(`/wallets/${wrong}`)).toMatchObject({ status: 422, body: { detail } });
  });
});

describe('GET /markets/{market_id}', () => {
  test('shows alerts by outcome and thread, wallets, the price at each alert, end and outcome', async () => {
    const { key, tradedAt, details: order } = alertOf({ id: 3 });
    // The second alert of a bet has all that was put in.
    const details = { ...order, marketBuyCount: 2, marketTotalBought: 6_000 };
    // Of a tape that is moved by a day.
    const watched = marketOf({
      marketId: '0xm1',
      alerts: [{ key, tradedAt: tradedAt - DAY_MS, detectedAt: tradedAt, bought: null, later: null }],
      endsAt: START,
    });
    const api = await startApi({ prices: { markets: async () => [watched] } });
    await api.append(
      alertOf({ id: 1, wallet: WALLET, entryPrice: 0.4, usdc: 2_000 }),
      alertOf({ id: 2, wallet: WALLET, entryPrice: 0.5, usdc: 4_000, threadId: 1, supersedes: 1, details }),
      alertOf({ id: 3, outcome: 'No', side: 'SELL', usdc: 1_000 }),
    );
    const outcomes = ['Yes', 'No', 'Tie'];
    await settleMarket(api.database, { outcomes, payouts: [1, 0, 0], at: START + 9_000 });
    const { secret } = await api.issue({ tier: 'enterprise' });
    const ask = (path: string) => api.get(path, secret);
    const { status, body } = await ask('/markets/0xM1');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      market_id: '0xm1',
      event_title: 'Will the measure pass?',
      event_slug: 'will-the-measure-pass',
      category: 'politics',
      end_date: new Date(START + DAY_MS).toISOString(),
      resolved: true,
      settled_at: '2026-01-02T00:00:09.000Z',
      total: 3,
      counted: 3,
      has_more: false,
    });
    expect(body.outcomes).toEqual([
      { outcome: 'Yes', payout: 1, alert_count: 2, thread_count: 1, wallet_count: 1, total_usdc: 6_000 },
      { outcome: 'No', payout: 0, alert_count: 1, thread_count: 1, wallet_count: 1, total_usdc: 1_000 },
      { outcome: 'Tie', payout: 0, alert_count: 0, thread_count: 0, wallet_count: 0, total_usdc: 0 },
    ]);
    expect(body.threads.newest[1]).toEqual({
      thread_id: 1,
      alert_type: 'fresh',
      wallet_address: WALLET,
      outcome: 'Yes',
      side: 'BUY',
      signal_score: 72,
      alert_count: 2,
      prices: [
        { id: 2, created_at: '2026-01-02 00:00:02', entry_price: 0.5, usdc_value: 4_000 },
        { id: 1, created_at: '2026-01-02 00:00:01', entry_price: 0.4, usdc_value: 2_000 },
      ],
    });
    expect(body.wallets).toMatchObject({
      total: 2,
      largest: [{ wallet_address: WALLET, total_usdc: 6_000 }, {}],
    });
  });

  test('a market without an alert is a 404', async () => {
    const { ask } = await startWith(alertOf({ id: 1 }));
    expect(await ask('/markets/0xNone')).toMatchObject({
      status: 404,
      body: { detail: 'Market 0xnone was not found: it has no alerts.' },
    });
    expect((await ask(`/markets/${'x'.repeat(501)}`)).status).toBe(422);
  });
});
