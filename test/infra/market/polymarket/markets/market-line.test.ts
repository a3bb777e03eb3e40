import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { marketLine } from '../../../../../src/infra/market/polymarket/markets/market-line.ts';
import { parseLine } from '../../../../../src/infra/market/tapes/row-schema.ts';
import { gammaMarket } from '../../../../support/polymarket/gamma-market.ts';

const NOW = Date.UTC(2026, 10, 1);
const read = (value: unknown) => marketLine(value);
function lineOf(value: unknown) {
  const live = read(value);
  if (!('line' in live)) throw new Error(`no market: ${JSON.stringify(live)}`);
  return live;
}
const marketOf = (value: unknown) => {
  const { row } = lineOf(value);
  return row.kind === 'market' ? row.market : null;
};
const REAL = readFileSync(new URL('../../../../fixtures/gamma-closed-markets.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('a market of Gamma as the line of a tape', () => {
  test.each([...REAL, gammaMarket()])('$slug: parsed again it gives the same row (tape-format)', (market) => {
    const { row, line } = lineOf(market);

    expect(parseLine(line, NOW)).toStrictEqual(row);
    expect(line).not.toContain('\n');
  });

  test('real closed markets are settled by their prices', () => {
    expect(REAL.map((market) => marketOf(market)?.payouts)).toEqual([
      [1, 0],
      [0, 1],
      [1, 0],
      [1, 0],
      [0, 1],
    ]);
    expect(REAL.map((market) => marketOf(market)?.endsAt === null)).toContain(true);
  });

  test('holds the fields that tape-format names, and no others', () => {
    const { line } = lineOf({ ...gammaMarket(), id: '1', description: 'long', liquidityNum: 3 });

    expect(Object.keys(JSON.parse(line)).toSorted()).toEqual(Object.keys(gammaMarket()).toSorted());
  });

  test.each([
    ['resolved', [1, 0]],
    ['active', null],
  ])('of Protocol V2 in the state %s pays %j', (resolutionStatus, payouts) => {
    const closed = { version: 'v2', closed: true, outcomePrices: '["1","0"]', resolutionStatus };
    expect(marketOf(gammaMarket(closed))?.payouts ?? null).toEqual(payouts);
  });

  test.each([
    ['its own', { tags: [{ slug: 'Politics' }], events: [{ tags: [{ slug: 'crypto' }] }] }, ['politics']],
    ['its events’ where it has none', { tags: [], events: [{ tags: [{ slug: 'crypto' }, {}] }] }, ['crypto']],
    [
      'its events’, each once',
      { tags: undefined, events: [{ tags: [{ slug: 'a' }] }, { tags: [{ slug: 'a' }] }] },
      ['a'],
    ],
    ['unknown where neither has any', { tags: undefined, events: [{ slug: 'e' }] }, null],
    ['none where the market says so', { tags: [], events: undefined }, []],
    ['what can be read of them', { tags: ['x', null, { slug: 7 }, { slug: 'ok' }] }, ['ok']],
  ])('tags are %s', (_name, given, tags) => {
    expect(marketOf(gammaMarket(given))?.tags).toEqual(tags);
  });

  test.each([
    ['clobTokenIds', [1, {}]],
    ['clobTokenIds', 'none'],
    ['outcomePrices', '{"a":1}'],
    ['outcomePrices', [null, null]],
    ['closed', 'true'],
    ['endDate', 20261103],
    ['volume24hr', { usd: 1 }],
    ['tags', 'politics'],
    ['events', 'one'],
    ['umaResolutionStatus', 3],
    ['feesEnabled', 'no'],
    ['feeSchedule', { rate: 0.03, exponent: [1] }],
    ['feeSchedule', 0.03],
  ])('%s of no use (%j) is left out, and the market is not lost for it', (name, value) => {
    expect(marketOf(gammaMarket({ [name]: value }))?.question).toBe('Will it?');
  });

  test('of the fee schedule has the rate and the exponent', () => {
    const feeSchedule = { exponent: 1, rate: 0.03, takerOnly: true, rebateRate: 0.25 };
    const { line } = lineOf(gammaMarket({ feesEnabled: true, feeSchedule }));

    expect(JSON.parse(line)).toMatchObject({ feesEnabled: true });
    expect(JSON.parse(line).feeSchedule).toEqual({ rate: 0.03, exponent: 1 });
  });

  test.each([
    [null, 'unknown_kind'],
    ['text', 'unknown_kind'],
    [[gammaMarket()], 'unknown_kind'],
    [gammaMarket({ conditionId: undefined }), 'missing_field'],
    [gammaMarket({ question: null }), 'missing_field'],
    [gammaMarket({ outcomes: 'Yes, No' }), 'wrong_type'],
  ])('%j is dropped: %s', (value, reason) => {
    expect(read(value)).toMatchObject({ kind: 'bad', reason });
  });
});
