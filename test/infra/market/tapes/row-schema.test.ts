import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { headerOf, parseLine } from '../../../../src/infra/market/tapes/row-schema.ts';
import { parse, reasonOf, TAPE_START, TODAY, wireMarket, wireTrade } from './source-fixture.ts';

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

  test('without a field that it needs it is dropped as missing_field', () => {
    const { eventSlug: _, side: __, ...needed } = wireTrade();
    for (const name of Object.keys(needed))
      expect(reasonOf(wireTrade({ [name]: undefined }))).toBe(`missing_field: ${name}`);
    // No wallet row with unknown facts.
    expect(reasonOf(wireTrade({ side: undefined }))).toMatch(/^missing_field/);
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

  test.each([
    [{ price: -0.0001 }, 'bad_price: price'],
    [{ price: 1.0001 }, 'bad_price: price'],
    [{ price: 0 }, 'trade'],
    [{ price: 1 }, 'trade'],
    [{ size: 0 }, 'bad_size: size'],
    [{ size: 1e13 }, 'bad_size: size'],
  ])('%j is %s', (given, result) => {
    expect(reasonOf(wireTrade(given))).toBe(result);
  });

  test.each([
    ['size', 'bad_size'],
    ['price', 'bad_price'],
    ['timestamp', 'bad_time'],
  ])('a %s beyond what a number holds is %s', (name, reason) => {
    const line = JSON.stringify(wireTrade({ [name]: 777.25 })).replace('777.25', '1e999');
    expect(parseLine(line, TODAY)).toMatchObject({ kind: 'bad', reason });
  });
});

describe('wallet: known by `proxyWallet` without `side`', () => {
  test('carries when it was created and how many markets it traded', () => {
    const row = parse({
      proxyWallet: '0xAB',
      createdAt: '2022-11-01T00:00:00.000Z',
      traded: 3,
      at: 1_667_833_200,
    });
    const facts = { wallet: '0xab', createdAt: Date.UTC(2022, 10, 1), marketsTraded: 3 };
    expect(row).toEqual({ kind: 'wallet', at: 1_667_833_200_000, facts });
  });

  test.each([
    ['createdAt null', { createdAt: null, traded: 3 }, { createdAt: null, marketsTraded: 3 }],
    [
      'a profile without a count',
      { createdAt: '2022-11-01' },
      { createdAt: Date.UTC(2022, 10, 1), marketsTraded: null },
    ],
    ['a count without a profile', { traded: 0 }, { createdAt: null, marketsTraded: 0 }],
  ])('%s: what is not known is null', (_name, given, facts) => {
    expect(parse({ proxyWallet: '0xab', ...given })).toEqual({
      kind: 'wallet',
      at: null,
      facts: { wallet: '0xab', ...facts },
    });
  });

  test.each([
    [{}, 'missing_field: createdAt'],
    [{ createdAt: 'yesterday' }, 'wrong_type: createdAt'],
    [{ createdAt: 1_667_260_800 }, 'wrong_type: createdAt'],
    [{ traded: '3' }, 'wrong_type: traded'],
    [{ traded: -1 }, 'wrong_type: traded'],
  ])('facts %j are dropped: %s', (given, reason) => {
    expect(reasonOf({ proxyWallet: '0xab', ...given })).toBe(reason);
  });
});

describe('close: known by `close`', () => {
  test('says up to which second the orders are whole', () => {
    expect(parse({ close: TAPE_START / 1_000, acceptedAt: TODAY, note: 'ignored' })).toEqual({
      kind: 'close',
      at: TAPE_START,
    });
  });

  test.each([
    ['text', '2022-11-07T15:00:00Z', 'wrong_type: close'],
    ['null', null, 'wrong_type: close'],
    ['true', true, 'wrong_type: close'],
    ['nothing', '', 'missing_field: close'],
  ])('its time is a number: %s', (_name, close, result) => {
    expect(reasonOf({ close })).toBe(result);
  });

  test.each([
    ['trade', wireTrade()],
    ['market', wireMarket()],
    ['wallet', { proxyWallet: '0xab', traded: 1 }],
  ])('a %s row that has the field too stays one', (kind, row) => {
    expect(reasonOf({ ...row, close: TAPE_START / 1_000 })).toBe(kind);
  });
});

describe.each([
  ['trade', 'timestamp', wireTrade()],
  ['market', 'at', wireMarket()],
  ['wallet', 'at', { proxyWallet: '0xab', traded: 1 }],
  ['close', 'close', {}],
])('the time of a %s row', (kind, field, row) => {
  test.each([
    ['the last second of 2019', Date.UTC(2020, 0, 1) / 1_000 - 1, false],
    ['the first of 2020', Date.UTC(2020, 0, 1) / 1_000, true],
    ['an hour ahead of the wall clock', TODAY / 1_000 + 3_600, true],
    ['a second more', TODAY / 1_000 + 3_601, false],
    ['milliseconds where seconds belong', TODAY, false],
  ])('is from 2020 to an hour ahead: %s', (_name, time, isPlausible) => {
    expect(reasonOf({ ...row, [field]: time })).toBe(isPlausible ? kind : `bad_time: ${field}`);
  });
});

describe('any line', () => {
  test.each([
    ['not json', 'not_json'],
    ['{"side":"BUY"', 'not_json'],
    ['', 'not_json'],
    ['[]', 'unknown_kind'],
    ['null', 'unknown_kind'],
    ['5', 'unknown_kind'],
    ['{}', 'unknown_kind'],
    ['{"tape":{"history":"complete"}}', 'unknown_kind'],
  ])('%j is dropped as %s', (line, reason) => {
    expect(parseLine(line, TODAY)).toMatchObject({ kind: 'bad', reason });
  });

  test('never throws, whatever it holds', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (line) => void parseLine(line, TODAY)));
  });

  test('of a known kind never throws, whatever its fields hold, and never lets a bad number through', () => {
    const base = fc.constantFrom(
      wireTrade(),
      wireMarket(),
      { proxyWallet: '0xa', createdAt: null },
      { close: 0 },
    );
    const changes = fc.dictionary(
      fc.constantFrom(
        ...Object.keys({ ...wireTrade(), ...wireMarket(), createdAt: 0, traded: 0, at: 0, close: 0 }),
      ),
      fc.oneof(fc.jsonValue(), fc.double(), fc.json()),
    );
    fc.assert(
      fc.property(base, changes, (row, change) => {
        const parsed = parse({ ...row, ...change });
        if (parsed.kind !== 'trade') return;
        const { price, shares, at } = parsed.trade;
        expect(price >= 0 && price <= 1 && shares > 0 && Number.isFinite(shares)).toBe(true);
        expect(at >= Date.UTC(2020, 0, 1) && at <= TODAY + 3_600_000).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('says at most 200 characters of what it was', () => {
    const parsed = parseLine('x'.repeat(5_000), TODAY);
    expect(parsed.kind === 'bad' && parsed.detail.length).toBe(200);
  });
});

describe('header, first line only', () => {
  test.each([
    ['{"tape":{"name":"a","history":"complete","note":"b"}}\n{"x":1}', 'complete'],
    ['{"tape":{"name":"a","history":"partial"}}\n', 'partial'],
    ['\uFEFF{"tape":{"history":"complete"}}', 'complete'],
    ['{"tape":{"name":"a"}}\n', 'partial'],
    ['{"tape":{"history":"whole"}}\n', undefined],
    ['{"question":"Q"}\n{"tape":{"history":"complete"}}\n', undefined],
    ['', undefined],
  ])('%j: history %s', (text, history) => {
    expect(headerOf(Buffer.from(text))?.history).toBe(history);
  });
});
