import { describe, expect, test } from 'vitest';
import { AS_MEASURED } from '../support/market/market-profile.ts';
import { type OpenMarket, openMarket } from '../support/market/open-market.ts';
import { conditionNo, TAPE_START_S, walletNo } from '../support/market/small-tape.ts';

const hashes = (rows: readonly { transaction_hash: string }[]) =>
  rows.map((row) => Number(row.transaction_hash.slice(2)));

async function walk({ get }: OpenMarket, query: Readonly<Record<string, string | number>>) {
  const seen: number[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await get('/v2/trades', { ...query, ...(cursor !== '' && { cursor }) });
    seen.push(...hashes(body.data));
    cursor = body.pagination.next_cursor;
    expect(body.pagination.has_more).toBe(cursor !== null);
  }
  return seen;
}

test.each([
  ['/trades', 410],
  ['/activity', 410],
  ['/positions', 410],
  ['/traded', 404],
  ['/v1/leaderboard', 404],
])('version 1 of the Data API is gone: %s answers %i as JSON', async (path, status) => {
  const { get } = await openMarket();
  const answer = await get(path, { user: walletNo(1) });
  expect([answer.status, Object.keys(answer.body)]).toEqual([status, ['error']]);
});

describe('the simulator’s Data API v2', () => {
  test('a walk by cursors lists every trade once, with page size and filters of its start', async () => {
    const open = await openMarket();
    expect(await walk(open, { limit: 7 })).toEqual(Array.from({ length: 100 }, (_, n) => 99 - n));
    const of = { user: walletNo(0), start: TAPE_START_S + 3, end: TAPE_START_S + 12, limit: 2 };
    expect(await walk(open, of)).toEqual([12, 9, 6, 3]);
    expect(await walk(open, { condition: conditionNo(1), side: 'SELL' })).toEqual([
      ...[95, 85, 75, 65, 55, 45, 35, 25, 15, 5],
    ]);
  });

  test('activity needs a user, and is read from its end or from its first day, page by page', async () => {
    const { get } = await openMarket();
    expect((await get('/v2/activity')).status).toBe(400);
    const user = walletNo(2);
    expect(hashes((await get('/v2/activity', { user, limit: 2 })).body.data)).toEqual([98, 95]);
    const oldest = { user, sort_direction: 'ASC', limit: 2, type: 'TRADE' };
    const first = (await get('/v2/activity', oldest)).body;
    expect(hashes(first.data)).toEqual([2, 5]);
    expect(first.data[0]).toMatchObject({ type: 'TRADE', usdc_size: 6, timestamp: TAPE_START_S + 2 });
    const { next_cursor: cursor } = first.pagination;
    expect(hashes((await get('/v2/activity', { ...oldest, cursor })).body.data)).toEqual([8, 11]);
    const window = { user, start: TAPE_START_S + 3, end: TAPE_START_S + 8 };
    expect(hashes((await get('/v2/activity', window)).body.data)).toEqual([8, 5]);
    expect((await get('/v2/activity', { user, type: 'REDEEM' })).body.data).toEqual([]);
    for (const bad of [{ sort_by: 'CASH' }, { sort_direction: 'UP' }, { limit: 1_001 }, { offset: 0 }])
      expect((await get('/v2/activity', { user, ...bad })).status).toBe(400);
  });

  test('start and end without a user change nothing', async () => {
    const { get } = await openMarket();
    const { body } = await get('/v2/trades', { limit: 1, end: TAPE_START_S + 5 });
    expect(hashes(body.data)).toEqual([99]);
  });

  test('refuses an offset, a foreign cursor, other filters and unknown parameters, and says which', async () => {
    const { get } = await openMarket();
    const { body } = await get('/v2/trades', { limit: 5 });
    const cursor = body.pagination.next_cursor as string;
    const asked = [{ offset: 0 }, { cursor: 'x' }, { cursor, side: 'BUY' }, { sides: 'BUY' }];
    const answers = await Promise.all(asked.map((query) => get('/v2/trades', query)));
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
    expect(answers.map((answer) => answer.body.parameter)).toEqual(['offset', 'cursor', 'cursor', 'sides']);
    expect(answers[0]?.body).toMatchObject({ code: 'invalid_request', retryable: false });
    expect(answers[0]?.headers.get('x-trace-id')).not.toBeNull();
  });

  test('user-stats: distinct markets and first trade; null for who never traded', async () => {
    const { get } = await openMarket();
    expect((await get('/v2/user-stats', { user: walletNo(2) })).body.data).toMatchObject({
      trades: 2,
      join_date: TAPE_START_S + 2,
    });
    expect((await get('/v2/user-stats', { user: walletNo(8) })).body).toEqual({ data: null });
  });

  test('resolutions state payouts in micro-USDC; status states the lag', async () => {
    const { get } = await openMarket();
    const { body } = await get('/v2/resolutions', { condition: `${conditionNo(0)},${conditionNo(1)}` });
    expect(body.data).toMatchObject([
      { status: 'resolved', payouts: [0, 1_000_000] },
      { status: 'initialized' },
    ]);
    expect(body.data[1]).not.toHaveProperty('payouts');
    expect((await get('/v2/resolutions')).status).toBe(400);
    expect((await get('/v2/status')).body.data.serving.lag_seconds).toBe(2);
  });
});

describe('the simulator’s Gamma API', () => {
  test('lists are JSON text in a string, tags come only when asked for, open markets unless closed is asked for', async () => {
    const { get } = await openMarket();
    const open = await get('/markets/keyset', { condition_ids: `${conditionNo(0)},${conditionNo(1)}` });
    expect(open.body.markets).toMatchObject([{ conditionId: conditionNo(1), outcomes: '["Yes","No"]' }]);
    expect(open.body.markets[0]).not.toHaveProperty('tags');
    const closed = await get('/markets', { closed: 'true', include_tag: 'true' });
    expect(closed.body).toMatchObject([{ conditionId: conditionNo(0), umaResolutionStatus: 'resolved' }]);
    expect(closed.body[0].tags).toHaveLength(1);
  });

  test('keyset pages follow next_cursor, refuse an offset and lower a limit above 100', async () => {
    const { get, market } = await openMarket();
    market.revealUntil(TAPE_START_S * 1_000);
    const first = await get('/markets/keyset', { limit: 1 });
    const second = await get('/markets/keyset', { limit: 1, after_cursor: first.body.next_cursor });
    expect([first, second].map(({ body }) => body.markets[0].conditionId)).toEqual([
      conditionNo(0),
      conditionNo(1),
    ]);
    expect(second.body).not.toHaveProperty('next_cursor');
    expect((await get('/markets/keyset', { offset: 0 })).status).toBe(422);
    expect((await get('/markets/keyset', { limit: 101 })).body.markets).toHaveLength(2);
    const tooMany = Array.from({ length: 101 }, (_, n) => `${n}`).join(',');
    for (const name of ['condition_ids', 'clob_token_ids'])
      expect((await get('/markets/keyset', { [name]: tooMany })).status).toBe(422);
    expect((await get('/markets')).headers.get('sunset')).toContain('2026');
  });

  test('a profile has the day of the first trade; 404 when unknown', async () => {
    const { get } = await openMarket();
    const { body } = await get('/public-profile', { address: walletNo(0) });
    expect(Date.parse(body.createdAt)).toBe(TAPE_START_S * 1_000);
    expect((await get('/public-profile', { address: walletNo(9) })).status).toBe(404);
  });
});

describe('the simulator’s time', () => {
  test('what is later than the clock, or than what is revealed, does not exist', async () => {
    const { get, market, clock } = await openMarket();
    market.revealUntil((TAPE_START_S + 20) * 1_000);
    const newest = async () => hashes((await get('/v2/trades', { limit: 1 })).body.data);
    expect(await newest()).toEqual([20]);
    expect((await get('/v2/trades', { limit: 50 })).body.data).toHaveLength(21);
    expect((await get('/markets', { closed: 'true' })).body).toEqual([]);
    market.revealUntil(Number.POSITIVE_INFINITY);
    await clock.advance(1_000);
    expect(await newest()).toEqual([99]);
  });

  test('requests are counted against each published limit, in any 10 s of the clock', async () => {
    const { get, market, clock } = await openMarket();
    for (let n = 0; n < 20; n++) {
      await get('/v2/trades', { limit: 1 });
      await clock.advance(1_000);
    }
    expect(market.requests.most('data /v2/trades')).toBe(10);
    expect(market.largestShare()).toEqual({ limit: 'data /v2/trades', share: 10 / 300 });
  });

  test.each([
    ['/v2/status', {}, 100],
    ['/v2/activity', { user: walletNo(1) }, 200],
    ['/v2/trades', { limit: 1 }, 300],
    ['/v2/resolutions', { condition: conditionNo(1) }, 800],
  ])('as measured, %s above its limit is refused until the window has passed', async (path, query, most) => {
    const { get, market, clock } = await openMarket(AS_MEASURED);
    const statuses = new Set<number>();
    for (let n = 0; n < most; n++) statuses.add((await get(path, query)).status);
    expect([...statuses]).toEqual([200]);
    await clock.advance(4_000);
    const refused = await get(path, query);
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
      ...[429, 'rate_limited', '6'],
    ]);
    expect(market.requests.refused).toBe(1);
    await clock.advance(6_000);
    expect((await get(path, query)).status).toBe(200);
    expect(market.largestShare().share).toBeGreaterThan(1);
  });

  test('an unknown route is a 404', async () => {
    const { get } = await openMarket();
    expect((await get('/v2/nothing')).body.code).toBe('not_found');
  });
});
