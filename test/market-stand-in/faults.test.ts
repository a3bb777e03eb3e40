import { expect, test } from 'vitest';
import { type Fault, OUTAGES } from '../support/market/faults.ts';
import { openMarket } from '../support/market/open-market.ts';
import { TAPE_START_S, walletNo } from '../support/market/small-tape.ts';

type Rows = readonly { transaction_hash: string }[];
const numbers = ({ data }: { data: Rows }) => data.map(({ transaction_hash: hash }) => Number(hash.slice(2)));
const fault = (kind: Fault['kind'], options: Omit<Fault, 'kind'> = {}) => ({
  faults: [{ kind, ...options }],
});

test.each(['408', '429', '500', '502', '503'] as const)(
  '%s is answered in the documented shape',
  async (kind) => {
    const { get } = await openMarket(fault(kind));
    const { status, body, headers } = await get('/v2/trades');
    expect([status, body.retryable]).toEqual([Number(kind), true]);
    expect(headers.get('retry-after')).toBe(kind === '429' || kind === '503' ? '2' : null);
  },
);

test('reset cuts the connection, hang never answers, html and truncated are a 200 that is no JSON', async () => {
  const reset = await openMarket(fault('reset'));
  await expect(reset.get('/v2/trades')).rejects.toThrow();
  const hang = await openMarket(fault('hang'));
  let first: unknown = 'nothing';
  void hang.get('/v2/trades').then(
    (answered) => (first = answered),
    () => (first = 'cut'),
  );
  for (const kind of ['html', 'truncated'] as const) {
    const { get } = await openMarket(fault(kind));
    expect(await get('/v2/trades')).toMatchObject({ status: 200, body: null });
  }
  expect(first).toBe('nothing');
});

test('repeat begins with the end of the page before, and lists each row of a page once; no trade is missing', async () => {
  const { get } = await openMarket(fault('repeat'));
  const { next_cursor: cursor } = (await get('/v2/trades', { limit: 10 })).body.pagination;
  const rows = numbers((await get('/v2/trades', { cursor })).body);
  expect(rows).toEqual([90, 89, 88, 87, 86, 85, 84, 83, 82, 81, 80]);
});

test('drop-field takes one field of one row, shuffle only mixes the page', async () => {
  const dropping = await openMarket(fault('drop-field'));
  const rows = (await dropping.get('/v2/trades', { limit: 10 })).body.data as Rows;
  const widths = rows.map((row) => Object.keys(row).length);
  expect(widths.filter((width) => width < Math.max(...widths))).toEqual([Math.max(...widths) - 1]);
  const shuffling = await openMarket(fault('shuffle'));
  const mixed = numbers((await shuffling.get('/v2/trades', { limit: 10 })).body);
  expect(mixed).not.toEqual([99, 98, 97, 96, 95, 94, 93, 92, 91, 90]);
  expect(mixed.toSorted((a, b) => b - a)).toEqual([99, 98, 97, 96, 95, 94, 93, 92, 91, 90]);
});

test('delay: trades come later than their time, at their own place, and all in the end', async () => {
  const { get, clock } = await openMarket(fault('delay', { rate: 0.5, byMs: 60_000 }));
  const early = numbers((await get('/v2/trades', { limit: 100 })).body);
  expect(early.length).toBeLessThan(95);
  expect(early.toSorted((a, b) => b - a)).toEqual(early);
  await clock.advance(60_000);
  expect(numbers((await get('/v2/trades', { limit: 100 })).body)).toHaveLength(100);
});

test('lag holds the newest back, and the status says so', async () => {
  const { get } = await openMarket(fault('lag', { byMs: 30_000 }));
  expect(numbers((await get('/v2/trades', { limit: 1 })).body)).toEqual([70]);
  expect((await get('/v2/status')).body.data.serving.lag_seconds).toBe(30);
});

test('facts-down and gamma-down hit their part only, between their moments', async () => {
  const end = (TAPE_START_S + 100) * 1_000;
  const { get, clock } = await openMarket({
    faults: [
      { kind: 'facts-down', from: end, until: end + 600_000 },
      { kind: 'gamma-down', from: end, until: end + 600_000 },
    ],
  });
  const of = { user: walletNo(1) };
  const asked = async () => {
    const answers = [get('/v2/user-stats', of), get('/v2/trades', of), get('/v2/trades'), get('/markets')];
    return (await Promise.all(answers)).map(({ status }) => status);
  };
  expect(await asked()).toEqual([503, 503, 200, 502]);
  await clock.advance(600_000);
  expect(await asked()).toEqual([200, 200, 200, 200]);
});

test('an outage takes its part only, and is over when the script is', async () => {
  const { get, market } = await openMarket();
  const asked = ['/v2/trades', '/v2/status', '/markets'];
  const statuses = async (outage: readonly Fault[]) => {
    market.faults.script = { seed: 1, faults: outage };
    return (await Promise.all(asked.map((path) => get(path)))).map(({ status }) => status);
  };
  expect(await statuses(OUTAGES.trades)).toEqual([503, 200, 200]);
  expect(await statuses(OUTAGES.data)).toEqual([503, 503, 200]);
  expect(await statuses(OUTAGES.gamma)).toEqual([200, 200, 502]);
  expect(await statuses(OUTAGES.rtds)).toEqual([200, 200, 200]);
  expect(await statuses([])).toEqual([200, 200, 200]);
});

test('the same seed and requests give the same faults', async () => {
  const run = async () => {
    const { get } = await openMarket(fault('500', { rate: 0.5 }));
    const statuses: number[] = [];
    for (let n = 0; n < 20; n++) statuses.push((await get('/v2/trades')).status);
    return statuses;
  };
  const first = await run();
  expect(new Set(first)).toEqual(new Set([200, 500]));
  expect(await run()).toEqual(first);
});
