import { describe, expect, test } from 'vitest';
import { alertOf } from '../support/alerts.ts';
import { FREE_DELAY_MS, startApi } from '../support/api-server.ts';
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

  test('limit is 10 unless given, from 1 to 50 (contract, Limits)', async () => {
    const { ask } = await startWith(...Array.from({ length: 60 }, (_, index) => alertOf({ id: index + 1 })));
    const countOf = async (query: string) => (await ask(`/alerts/latest${query}`)).body.length;
    expect(await countOf('')).toBe(10);
    expect(await countOf('?limit=1')).toBe(1);
    expect(await countOf('?limit=50')).toBe(50);
    expect(await countOf('?limit=007')).toBe(7);
    expect(await countOf('?other=1')).toBe(10);
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

  test('pages cover everything once, and the last one says that there is no more', async () => {
    const { ask } = await startWith(...alerts);
    const pageOf = async (page: number) => (await ask(`/alerts?page=${page}&page_size=2`)).body;
    expect(await pageOf(1)).toMatchObject({ alerts: [{ id: 3 }, { id: 2 }], total: 3, has_more: true });
    expect(await pageOf(2)).toMatchObject({ alerts: [{ id: 1 }], page: 2, page_size: 2, has_more: false });
    expect((await ask('/alerts?page_size=3')).body).toMatchObject({ total: 3, has_more: false });
    expect(await pageOf(1_000_000_000)).toMatchObject({ alerts: [], total: 3, has_more: false });
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

  test('unknown names are ignored and listed', async () => {
    const { ask } = await startWith(...alerts);
    const { status, headers, body } = await ask('/alerts?sort=asc&min_usdc=2000&caf%C3%A9=1&a%0D%0Ab=2');
    expect([status, body.total]).toEqual([200, 1]);
    expect(headers.get('x-unknown-parameters')).toBe('sort, caf%C3%A9, a%0D%0Ab');
    expect((await ask('/alerts?page=1')).headers.get('x-unknown-parameters')).toBeNull();
  });

  test.each([
    ['free', 20],
    ['pro', 50],
    ['enterprise', 100],
  ] as const)(
    'a page of a %s key has at most %i items: more is lowered and echoed, above 100 is a 422',
    async (tier, most) => {
      const api = await startWith(...Array.from({ length: 120 }, (_, index) => alertOf({ id: index + 1 })));
      const { secret } = await api.issue({ tier });
      const { body } = await api.get('/alerts?page_size=100', secret);
      expect([body.page_size, body.alerts.length, body.has_more]).toEqual([most, most, true]);
      expect((await api.get('/alerts?page_size=101', secret)).status).toBe(422);
      expect((await api.get('/alerts', secret)).body.page_size).toBe(20);
    },
  );
});

describe('contract, free tier: alerts younger than 5 minutes do not exist', () => {
  test('not in the latest, not in lists and totals, not by id; they appear at the instant they are old enough', async () => {
    const { append, clock, issue, get } = await startApi();
    await append(alertOf({ id: 1, createdAt: START }), alertOf({ id: 2, createdAt: START + 1_000 }));
    const [free, pro] = [await issue({ tier: 'free' }), await issue({ tier: 'pro' })];
    const seenBy = async ({ secret }: { secret: string }) => {
      const list = (await get('/alerts?until=2030-01-01T00:00:00Z', secret)).body;
      return {
        latest: ids((await get('/alerts/latest', secret)).body),
        list: ids(list.alerts),
        total: list.total,
        byId: (await get('/alerts/2', secret)).status,
      };
    };
    const all = { latest: [2, 1], list: [2, 1], total: 2, byId: 200 };
    await clock.advance(FREE_DELAY_MS + 999);
    expect(await seenBy(free)).toEqual({ latest: [1], list: [1], total: 1, byId: 404 });
    expect(await seenBy(pro)).toEqual(all);
    await clock.advance(1);
    expect(await seenBy(free)).toEqual(all);
  });

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
