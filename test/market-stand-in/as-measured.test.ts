import { expect, test } from 'vitest';
import { AS_MEASURED } from '../support/market/market-profile.ts';
import { tapeOf } from '../support/market/market-tape.ts';
import { openMarket } from '../support/market/open-market.ts';
import { conditionNo, smallTape, TAPE_START_S, walletNo } from '../support/market/small-tape.ts';

const END = (TAPE_START_S + 600) * 1_000;
const seconds = (rows: readonly { timestamp: number }[]) =>
  rows.map(({ timestamp }) => timestamp - TAPE_START_S);

/** The head page of the global list or of a wallet's, past any cache. */
function heads({ get }: Awaited<ReturnType<typeof openMarket>>) {
  let asked = 0;
  return async (query: object = {}) => {
    asked += 1;
    return seconds((await get('/v2/trades', { limit: 30, _: asked, ...query })).body.data);
  };
}

test('rows are listed 3 to 11 s behind their trades, 6.5 s in the median, and the same ones each time', async () => {
  const { market } = await openMarket({ ...AS_MEASURED, count: 600 });
  const { trades, p50, p90, max } = market.view.listingLag(0, END);
  expect(trades).toBe(600);
  expect(p50).toBeGreaterThan(6_000);
  expect(p50).toBeLessThan(7_000);
  expect(p90).toBeLessThan(9_500);
  expect(max).toBeLessThanOrEqual(11_000);
  const again = await openMarket({ ...AS_MEASURED, count: 600 });
  expect(again.market.view.listingLag(0, END)).toEqual({ trades, p50, p90, max });
});

test('the list changes each 4 s, all rows of a second at a time, and every trade comes within 11 s', async () => {
  const open = await openMarket({ ...AS_MEASURED, count: 600 });
  const head = heads(open);
  open.market.revealUntil((TAPE_START_S + 300) * 1_000);
  const states: string[] = [];
  for (let passed = 0; passed < 40; passed++) {
    open.market.revealUntil((TAPE_START_S + 300 + passed) * 1_000);
    const rows = await head();
    const now = 300 + passed;
    expect(rows).toEqual(rows.toSorted((a, b) => b - a));
    expect(Math.max(...rows)).toBeLessThanOrEqual(now - 3);
    for (let second = now - 20; second <= now - 11; second++) expect(rows).toContain(second);
    if (states.at(-1) !== String(rows)) states.push(String(rows));
  }
  expect(states.length).toBeGreaterThanOrEqual(10);
  expect(states.length).toBeLessThanOrEqual(11);
});

test('a wallet’s list is 3 s ahead of the global one', async () => {
  const open = await openMarket({ ...AS_MEASURED, count: 600 });
  const head = heads(open);
  open.market.revealUntil((TAPE_START_S + 303) * 1_000);
  const later = (await head()).filter((second) => second % 3 === 1);
  open.market.revealUntil((TAPE_START_S + 300) * 1_000);
  const ahead = await head({ user: walletNo(1) });
  expect(ahead[0]).toBe(later[0]);
  expect(ahead[0]).toBeGreaterThan((await head()).filter((second) => second % 3 === 1)[0] as number);
});

test('the status has the age of what the origin lists, whatever a cache answers', async () => {
  const { market, get } = await openMarket({ ...AS_MEASURED, count: 600 });
  for (let now = 300; now < 330; now++) {
    market.revealUntil((TAPE_START_S + now) * 1_000);
    const { serving } = (await get('/v2/status', { _: now })).body.data;
    const [newest] = seconds((await get('/v2/trades', { limit: 1, _: now })).body.data);
    expect(serving.lag_seconds).toBe(now - (newest as number));
  }
});

test('taker_only, the default, lists the last row of each transaction, which is the taker’s', async () => {
  const { markets, trade } = smallTape(10);
  const sharing = Array.from({ length: 10 }, (_, n) => ({
    ...trade(n),
    timestamp: TAPE_START_S + Math.floor(n / 5),
    transactionHash: `0x${Math.floor(n / 5)}${n % 2}`,
  }));
  const { market, get } = await openMarket({ tape: tapeOf([...markets, ...sharing]) });
  expect(Array.from({ length: 10 }, (_, n) => market.view.roleOf(n))).toEqual([
    ...['maker', 'maker', 'maker', 'taker', 'taker'],
    ...['maker', 'maker', 'maker', 'taker', 'taker'],
  ]);
  const sizes = async (query: object) =>
    (await get('/v2/trades', { ...query })).body.data.map(({ size }: { size: number }) => size - 10);
  expect(await sizes({})).toEqual([9, 8, 4, 3]);
  expect(await sizes({ taker_only: 'true' })).toEqual([9, 8, 4, 3]);
  expect(await sizes({ taker_only: 'false' })).toHaveLength(10);
});

test('rows of the global list have 999 and no event, those of a market and older ones of a wallet are labelled', async () => {
  const { get } = await openMarket({ ...AS_MEASURED, count: 600 });
  const labels = async (query: object) => {
    const { data } = (await get('/v2/trades', { limit: 100, ...query })).body;
    return data.map((row: Record<string, unknown>) => [row['outcome_index'], row['event_slug']]);
  };
  expect(new Set((await labels({})).map(String))).toEqual(new Set(['999,']));
  expect((await labels({ condition: conditionNo(1) }))[0]).toEqual([0, 'question-1']);
  const own = await labels({ user: walletNo(1) });
  expect([own[0], own.at(-1)?.[0]]).toEqual([[999, ''], 0]);
});

test('a share of transactions has neither title nor outcome, the same ones each time', async () => {
  const { get } = await openMarket({ withoutWords: 0.3, count: 600 });
  const words = async () => {
    const { data } = (await get('/v2/trades', { limit: 600 })).body;
    return data.map(({ title, outcome, slug }: Record<string, string>) => `${title}${outcome}${slug}`);
  };
  const found = await words();
  const empty = found.filter((text: string) => text === '').length;
  expect(empty).toBeGreaterThan(140);
  expect(empty).toBeLessThan(220);
  expect(await words()).toEqual(found);
});

test('a market whose clock is ahead dates its answers and its trades by it', async () => {
  const { get, clock } = await openMarket({ skewMs: -40_000 });
  const { headers, body } = await get('/v2/trades', { limit: 1 });
  expect(headers.get('date')).toBe(new Date(clock.now() - 40_000).toUTCString());
  expect(body.data[0].timestamp * 1_000).toBe(clock.now() - 40_000);
});

test('a node is started on what the market shows, its settings join the others, and it is closed with it', async () => {
  const { startMarket } = await import('../support/market/start-market.ts');
  const closed: string[] = [];
  const market = await startMarket({
    tape: smallTape(10),
    clock: { now: () => END },
    node: async ({ view }) => ({
      settings: { POLYGON_RPC_URL: `http://${view.tape.count}` },
      close: async () => void closed.push('node'),
    }),
  });
  expect(market.settings).toMatchObject({ POLYGON_RPC_URL: 'http://10' });
  await market.close();
  expect(closed).toEqual(['node']);
});
