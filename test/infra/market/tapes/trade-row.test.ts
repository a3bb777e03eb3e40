import { describe, expect, test } from 'vitest';
import { parse, parser, reasonOf } from './parse-row.ts';
import { TAPE_START, TODAY, wireTrade } from './source-fixture.ts';

const without = (row: Record<string, unknown>, name: string) =>
  Object.fromEntries(Object.entries(row).filter(([key]) => key !== name));

describe('trade: known by `side` and `transactionHash`', () => {
  test('size is shares, the timestamp seconds, the wallet in lower case', () => {
    const row = parse(wireTrade({ proxyWallet: '0xABC', size: 12.5, price: 0.2, name: 'kept or ignored' }));
    expect(row).toEqual({
      kind: 'trade',
      at: TAPE_START,
      trade: {
        wallet: '0xabc',
        side: 'BUY',
        asset: '1001',
        marketId: '0xm1',
        shares: 12.5,
        price: 0.2,
        at: TAPE_START,
        title: 'Will the measure pass?',
        slug: 'will-the-measure-pass',
        eventSlug: 'measures',
        outcome: 'Yes',
        outcomeIndex: 0,
        transaction: '0xt1',
        ordinal: 1,
        role: null,
      },
    });
  });

  test('the ordinal of equal fills and the role of the wallet are read', () => {
    const row = parse(wireTrade({ n: 2, role: 'maker' }));
    expect(row).toMatchObject({ kind: 'trade', trade: { ordinal: 2, role: 'maker' } });
  });

  test('a removed fill is a row of its own kind, with the whole trade', () => {
    const trade = parse(wireTrade());
    expect(parse(wireTrade({ removed: true }))).toEqual({ ...trade, kind: 'removed' });
  });

  test.each([
    { n: 'two', role: null, removed: false },
    { n: 0, role: 'both', removed: 'yes' },
  ])('an ordinal, role and removal of no use, as in %j, change nothing', (given) => {
    expect(parse(wireTrade(given))).toEqual(parse(wireTrade()));
  });

  test.each([undefined, null, '', '\u0007', 7, ['measures']])(
    'an event slug of no use, as %j, is unknown, and the trade is not lost for it',
    (eventSlug) => {
      const row = parse(wireTrade({ eventSlug }));
      expect(row).toMatchObject({ kind: 'trade', trade: { slug: 'will-the-measure-pass', eventSlug: null } });
    },
  );

  test.each([
    'proxyWallet',
    'asset',
    'conditionId',
    'size',
    'price',
    'timestamp',
    'title',
    'slug',
    'outcome',
    'outcomeIndex',
    'transactionHash',
  ])('without %s it is dropped as missing_field', (name) => {
    expect(reasonOf(without(wireTrade(), name))).toBe(`missing_field: ${name}`);
  });

  test('without side it is no wallet row with unknown facts, but a row with a missing field', () => {
    expect(reasonOf(without(wireTrade(), 'side'))).toMatch(/^missing_field/);
  });

  test.each([
    ['price', '0.5'],
    ['price', null],
    ['size', '100'],
    ['timestamp', '2022-11-07'],
    ['side', 'HOLD'],
    ['asset', 1001],
    ['outcomeIndex', 0.5],
    ['proxyWallet', {}],
  ])('%s of %j is dropped as wrong_type', (name, value) => {
    expect(reasonOf(wireTrade({ [name]: value }))).toBe(`wrong_type: ${name}`);
  });

  test.each([-0.0001, 1.0001, 1e308])('price %d is outside [0, 1]: bad_price', (price) => {
    expect(reasonOf(wireTrade({ price }))).toBe('bad_price: price');
  });

  test.each([0, 1])('price %d is inside [0, 1]', (price) => {
    expect(reasonOf(wireTrade({ price }))).toBe('trade');
  });

  test.each([0, -1])('size %d is no trade: bad_size', (size) => {
    expect(reasonOf(wireTrade({ size }))).toBe('bad_size: size');
  });

  test.each([
    ['size', 'bad_size'],
    ['price', 'bad_price'],
    ['timestamp', 'bad_time'],
  ])('a %s beyond what a number holds is %s', (name, reason) => {
    const line = JSON.stringify(wireTrade({ [name]: 777.25 })).replace('777.25', '1e999');
    expect(parser(line, TODAY)).toMatchObject({ kind: 'bad', reason });
  });

  test.each([
    ['the last second of 2019', Date.UTC(2020, 0, 1) / 1_000 - 1, 'bad_time: timestamp'],
    ['the first of 2020', Date.UTC(2020, 0, 1) / 1_000, 'trade'],
    ['an hour ahead of the wall clock', TODAY / 1_000 + 3_600, 'trade'],
    ['a second more', TODAY / 1_000 + 3_601, 'bad_time: timestamp'],
    ['milliseconds where seconds belong', TODAY, 'bad_time: timestamp'],
  ])('time before 2020 or more than an hour ahead is dropped: %s', (_name, timestamp, result) => {
    expect(reasonOf(wireTrade({ timestamp }))).toBe(result);
  });
});
