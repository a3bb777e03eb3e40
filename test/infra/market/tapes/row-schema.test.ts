import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { headerOf } from '../../../../src/infra/market/tapes/row-schema.ts';
import { parse, parser, reasonOf } from './parse-row.ts';
import { TAPE_START, TODAY, wireMarket, wireTrade } from './source-fixture.ts';

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
    [{ traded: 1, at: 1 }, 'bad_time: at'],
  ])('facts %j are dropped: %s', (given, reason) => {
    expect(reasonOf({ proxyWallet: '0xab', ...given })).toBe(reason);
  });
});

describe('close: known by `close`', () => {
  test('says up to which second the orders are whole', () => {
    expect(parse({ close: TAPE_START / 1_000 })).toEqual({ kind: 'close', at: TAPE_START });
    expect(parse({ close: TAPE_START / 1_000, acceptedAt: TODAY, note: 'ignored' })).toEqual({
      kind: 'close',
      at: TAPE_START,
    });
  });

  test.each([
    ['the last second of 2019', Date.UTC(2020, 0, 1) / 1_000 - 1, 'bad_time: close'],
    ['the first of 2020', Date.UTC(2020, 0, 1) / 1_000, 'close'],
    ['an hour ahead of the wall clock', TODAY / 1_000 + 3_600, 'close'],
    ['a second more', TODAY / 1_000 + 3_601, 'bad_time: close'],
    ['milliseconds where seconds belong', TODAY, 'bad_time: close'],
    ['text', '2022-11-07T15:00:00Z', 'wrong_type: close'],
    ['null', null, 'wrong_type: close'],
    ['true', true, 'wrong_type: close'],
    ['nothing', '', 'missing_field: close'],
  ])('its time is as plausible as any other: %s', (_name, close, result) => {
    expect(reasonOf({ close })).toBe(result);
  });

  test('a time beyond what a number holds is bad_time', () => {
    expect(parser('{"close":1e999}', TODAY)).toMatchObject({ kind: 'bad', reason: 'bad_time' });
  });

  test.each([
    ['trade', wireTrade()],
    ['market', wireMarket()],
    ['wallet', { proxyWallet: '0xab', traded: 1 }],
  ])('a %s row that has the field too stays one', (kind, row) => {
    expect(reasonOf({ ...row, close: TAPE_START / 1_000 })).toBe(kind);
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
    expect(parser(line, TODAY)).toMatchObject({ kind: 'bad', reason });
  });

  test('never throws, whatever it holds', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (line) => void parser(line, TODAY)));
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
    const parsed = parser('x'.repeat(5_000), TODAY);
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
