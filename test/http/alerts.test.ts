import { describe, expect, test } from 'vitest';
import { alertOf } from '../support/alerts.ts';
import { startApi } from '../support/api-server.ts';
import { ITEM_FIELDS } from '../support/item-fields.ts';
import { START } from '../support/rows.ts';
import { CREATED, cluster, RESOLVED, startWith } from './alerts-fixture.ts';

const ALL_FIELDS = [
  ...ITEM_FIELDS,
  ...['event_slug', 'trade_count', 'resolved', 'won', 'profit_usdc', 'details', 'log'],
];

const ids = (alerts: { id: number }[]) => alerts.map(({ id }) => id);

describe('GET /alerts/latest', () => {
  test('returns an array, newest first, of every field but market_id', async () => {
    const { ask } = await startWith(cluster, alertOf({ id: 2, createdAt: CREATED + 1 }));
    const { headers, body } = await ask('/alerts/latest');
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(ids(body)).toEqual([2, 1]);
    const { market_id: _, ...whole } = (await ask('/alerts/1')).body;
    expect(body[1]).toEqual(whole);
    expect(Object.keys(body[1]).toSorted()).toEqual(
      ALL_FIELDS.filter((field) => field !== 'market_id').toSorted(),
    );
  });
});

describe('GET /alerts', () => {
  const alerts = [
    alertOf({ id: 1, usdc: 1_000, score: 40, side: 'SELL', category: 'crypto', eventTitle: 'Bitcoin up?' }),
    alertOf({ id: 2, usdc: 2_000, score: 60, type: 'cluster', wallet: '0xbee', resolution: RESOLVED }),
    alertOf({ id: 3, usdc: 3_000, score: 80, eventSlug: 'bitcoin-slug' }),
  ];
  const at = (id: number, extraMs = 0) => new Date(START + id * 1_000 + extraMs).toISOString();

  test('items carry the twelve fields of the contract, around them the page', async () => {
    const { ask } = await startWith(...alerts);
    const { body } = await ask('/alerts');
    expect(Object.keys(body.alerts[0]).toSorted()).toEqual(ITEM_FIELDS.toSorted());
    expect({ ...body, alerts: ids(body.alerts) }).toEqual({
      alerts: [3, 2, 1],
      total: 3,
      page: 1,
      page_size: 20,
      has_more: false,
    });
  });

  test.each([
    ['category=crypto', [1]],
    ['side=SELL', [1]],
    ['alert_type=cluster', [2]],
    ['min_usdc=2000', [3]],
    ['min_usdc=1999.99', [3, 2]],
    ['min_signal=60', [3, 2]],
    ['search=BITCOIN', [3, 1]],
    ['search=0xbee', [2]],
    ['search=', [3, 2, 1]],
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

describe('contract, free tier: alerts younger than 5 minutes do not exist', () => {
  test('the 404 of a hidden alert is that of one that was never made', async () => {
    const { append, issue, get } = await startApi();
    await append(alertOf({ id: 1, createdAt: START }));
    const { secret } = await issue({ tier: 'free' });
    for (const id of [1, 2])
      expect((await get(`/alerts/${id}`, secret)).body).toEqual({
        detail: `Alert ${id} was not found.`,
        code: 'alert_not_found',
      });
  });
});
