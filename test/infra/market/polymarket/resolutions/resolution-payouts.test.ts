import { describe, expect, test } from 'vitest';
import { gammaMarket } from '../../../../support/polymarket/gamma-market.ts';
import { A1, MINUTE, NO, NOW, open, v2, YES } from './resolution-watch-fixture.ts';

test('v2 has the word on payouts, Gamma on names; it is asked every 5 minutes, and the alert is resolved', async () => {
  const it = await open();
  await it.alert();
  it.server.markets = [gammaMarket({ outcomePrices: '["0.9995","0.0005"]' })];
  it.server.resolutions = [v2('proposed', null)];
  await it.run();
  await it.pass(10 * MINUTE);
  expect(await it.outcomes()).toEqual([null]);

  it.server.resolutions = [v2('resolved', YES)];
  await it.pass(6 * MINUTE);

  expect(await it.outcomes()).toEqual([{ payout: 1, won: true, profitUsdc: 600 }]);
  expect(JSON.parse(it.enqueued[0]?.line ?? '')).toMatchObject({
    ...{ question: 'Will it?', closed: true, outcomePrices: ['1', '0'], umaResolutionStatus: 'resolved' },
  });
  const asked = it.server.requests.find(({ pathname }) => pathname === '/v2/resolutions');
  expect(asked?.search).toBe(`?condition=${A1}`);
});

test.each<[string, readonly unknown[], object, object]>([
  ['halves', ['500000', '500000'], {}, { payout: 0.5, won: true, profitUsdc: 100 }],
  ['neither whole nor halves', ['300000', '700000'], {}, { payout: 0.3, won: false, profitUsdc: -100 }],
  [
    'three equal parts, rounded to millionths',
    [333_333, 333_333, 333_333],
    { outcomes: '["A","B","C"]', outcomePrices: null, clobTokenIds: null },
    { payout: 0.333333, won: false, profitUsdc: -66.67 },
  ],
])('payouts of %s settle as they are: who made money was right', async (_name, payouts, market, outcome) => {
  const it = await open();
  await it.alert({ outcomeIndex: 0 });
  it.server.markets = [gammaMarket({ closed: true, ...market })];
  it.server.resolutions = [v2('resolved', payouts)];

  await it.run();

  expect(await it.outcomes()).toEqual([outcome]);
  expect(it.logger.lines.filter(({ level }) => level === 'warn')).toEqual([]);
});

test.each(['posed', 'active', 'never seen before'])(
  'a market that is %s is not resolved, whatever Gamma and its payouts say',
  async (status) => {
    const it = await open();
    await it.alert();
    it.server.markets = [gammaMarket({ closed: true, outcomePrices: '["1","0"]' })];
    it.server.resolutions = [v2(status, YES)];

    await it.run();
    await it.pass(6 * MINUTE);

    expect(it.enqueued).toEqual([]);
    const isOdd = status === 'never seen before';
    expect(it.logger.lines.filter(({ level }) => level === 'warn')).toHaveLength(isOdd ? 1 : 0);
  },
);

test.each([
  ['of three', [1_000_000, 0, 0]],
  ['of more than a whole', [700_000, 400_000]],
])('payouts %s settle nothing, which is logged once', async (_name, payouts) => {
  const it = await open();
  await it.alert();
  it.server.markets = [gammaMarket({ closed: true, outcomePrices: '["1","0"]' })];
  it.server.resolutions = [v2('resolved', payouts)];

  await it.run();
  await it.pass(11 * MINUTE);

  expect(it.enqueued).toEqual([]);
  expect(it.logger.lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
});

const SILENT = { ...v2('resolved', null), proposed_price: '0', reproposed_price: '69' };

/** What v2 says without payouts, the prices of Gamma's row, and what the alert on the first outcome then gets. */
test.each<[string, Record<string, unknown>, string | null, number | null]>([
  ['price 0, as Gamma', { ...SILENT, payouts: undefined, price: '0' }, '["0","1"]', 0],
  ['price 0, and Gamma does not know the market', { ...SILENT, price: '0' }, null, 0],
  [
    'price 1 in 18 decimals, and Gamma is not settled',
    { ...SILENT, price: '1000000000000000000' },
    '["0.99","0.01"]',
    1,
  ],
  ['price 0.5, and Gamma is not settled', { ...SILENT, price: '0.5' }, '["0.5","0.6"]', 0.5],
  ['no price, but Gamma is settled', { ...SILENT, price: '69' }, '["1","0"]', 1],
  ['payouts of nothing, but Gamma is settled', { ...SILENT, payouts: [0, 0] }, '["0","1"]', 0],
  ['payouts that are no numbers, but Gamma is settled', { ...SILENT, payouts: ['NaN', 'x'] }, '["1","0"]', 1],
  ['an empty list of payouts, but Gamma is settled', { ...SILENT, payouts: [] }, '["0","1"]', 0],
  ['no state, but Gamma is settled', { ...SILENT, status: '' }, '["0","1"]', 0],
  ['no price, and Gamma is not settled', { ...SILENT, price: '69' }, '["0.99","0.01"]', null],
  ['a price that contradicts Gamma', { ...SILENT, price: '1' }, '["0","1"]', null],
])('v2 that states no payouts hides no other source: %s', async (_, row, prices, payout) => {
  const it = await open();
  await it.alert();
  it.server.markets = prices === null ? [] : [gammaMarket({ closed: true, outcomePrices: prices })];
  it.server.resolutions = [row];

  await it.run();
  await it.pass(11 * MINUTE);

  const [outcome] = await it.outcomes();
  expect(outcome?.payout ?? null).toBe(payout);
  expect(it.enqueued).toHaveLength(payout === null ? 0 : 1);
  const warnings = it.logger.lines.filter(({ level }) => level === 'warn');
  expect(warnings).toHaveLength(payout === null ? 1 : 0);
});

test('v2 without payouts takes nothing back that is booked', async () => {
  const it = await open();
  await it.alert();
  await it.ledger.resolve({ id: A1, outcomes: ['Yes', 'No'], payouts: [0, 1] }, NOW);
  it.server.markets = [gammaMarket({ closed: true, outcomePrices: '["1","0"]' })];
  it.server.resolutions = [{ ...SILENT, price: '1' }];

  await it.run();

  expect(it.enqueued).toEqual([]);
});

describe.each([
  ['fails', (it: Awaited<ReturnType<typeof open>>) => void it.server.failing.set('/v2/resolutions', 503)],
  ['does not know the market', () => {}],
])('when v2 %s', (_name, prepare) => {
  test('Gamma’s own row counts once it is settled', async () => {
    const it = await open();
    prepare(it);
    await it.alert();
    it.server.markets = [gammaMarket({ closed: true, outcomePrices: '["0","1"]' })];

    await it.run();

    expect(await it.outcomes()).toMatchObject([{ payout: 0, won: false }]);
  });

  test('Gamma does not correct what is booked', async () => {
    const it = await open();
    prepare(it);
    await it.alert({ outcome: 'Maybe', outcomeIndex: 999 });
    await it.ledger.resolve({ id: A1, outcomes: ['Yes', 'No'], payouts: [0, 1] }, NOW);
    it.server.markets = [gammaMarket({ closed: true, outcomePrices: '["1","0"]' })];

    await it.run();

    expect(it.enqueued).toEqual([]);
  });
});

test('a market that Gamma does not describe is resolved by the places that its alerts give its outcomes', async () => {
  const it = await open();
  await it.alert();
  await it.alert({ id: 2, outcome: 'No', outcomeIndex: 999 });
  await it.alert({ id: 3, outcome: 'outcome 0' });
  it.server.resolutions = [v2('resolved', NO)];

  await it.run();

  expect(await it.outcomes()).toMatchObject([{ won: false }, { won: true }, { won: false }]);
  expect(it.unsettled).toEqual([]);
  expect(JSON.parse(it.enqueued[0]?.line ?? '')).toMatchObject({
    conditionId: A1,
    outcomes: ['Yes', 'No'],
  });
});

test('names that alerts did not tell are added when Gamma describes the market, and only then', async () => {
  const it = await open();
  await it.alert();
  await it.alert({ id: 2, outcome: 'token 123456…', outcomeIndex: 999 });
  it.server.resolutions = [v2('resolved', YES)];
  await it.run();
  await it.pass(25 * MINUTE);
  expect(it.enqueued).toHaveLength(1);
  const booked = () => it.database.settlements.ofMarket(A1);
  expect(await booked()).toMatchObject({ outcomes: ['Yes', ''], payouts: [1, 0] });

  it.server.markets = [gammaMarket()];
  await it.pass(6 * MINUTE);
  expect(await booked()).toMatchObject({ outcomes: ['Yes', 'No'] });
  await it.pass(25 * MINUTE);
  expect(it.enqueued).toHaveLength(2);
});

test('where nothing shows which outcome was paid, its alerts stay unresolved until Gamma does; it is logged once and counted', async () => {
  const it = await open();
  await it.alert({ outcomeIndex: 999 });
  it.server.resolutions = [v2('resolved', YES)];
  await it.run();
  await it.pass(11 * MINUTE);
  expect(await it.outcomes()).toEqual([null]);
  expect(it.unsettled.at(-1)).toBe(1);
  expect(it.logger.lines.filter(({ level }) => level === 'warn')).toHaveLength(1);

  it.server.markets = [gammaMarket()];
  await it.pass(6 * MINUTE);
  expect(await it.outcomes()).toMatchObject([{ won: true }]);
  expect(it.unsettled.at(-1)).toBe(0);
});
