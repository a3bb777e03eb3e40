import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { categoryOf } from '../../../../src/core/trades/classification/category-of.ts';
import { marketLine } from '../../../../src/infra/market/polymarket/markets/market-line.ts';
import { tradeLine } from '../../../../src/infra/market/polymarket/trades/trade-line.ts';
import { createRowParser } from '../../../../src/infra/market/tapes/row-schema.ts';
import { idSchema } from '../../../../src/infra/market/tapes/text-fields.ts';
import { gammaMarket } from '../../../support/polymarket/gamma-market.ts';
import { TODAY, wireMarket, wireTrade } from './source-fixture.ts';

/** It would steer a terminal and turn the text of a channel post. */
const HOSTILE = '0x\u001B[2J\u202E\u0007';
const BAD_IDS = [HOSTILE, `0x${'a'.repeat(99)}`, '0x a', '0xé', '0xa\n'];

const parse = (row: object) => createRowParser(categoryOf)(JSON.stringify(row), TODAY);
const bad = (detail: string) => ({ kind: 'bad', reason: 'wrong_type', detail });

test('an id has 1 to 100 printable ASCII characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 120 }), (text) => {
      const isId =
        text.length >= 1 && text.length <= 100 && [...text].every((one) => one > ' ' && one < '\u007F');
      expect(idSchema.safeParse(text).success).toBe(isId);
    }),
  );
  for (const id of ['0xw1', '9'.repeat(78), `0x${'f'.repeat(64)}`, 'x'.repeat(100)])
    expect(idSchema.safeParse(id).success).toBe(true);
});

describe.each(BAD_IDS)('a row with the id %j is bad and names the field', (id) => {
  test.each(['proxyWallet', 'asset', 'conditionId', 'transactionHash'])('%s of a trade', (field) => {
    expect(parse(wireTrade({ [field]: id }))).toEqual(bad(field));
    expect(tradeLine(wireTrade({ [field]: id }), TODAY)).toEqual(bad(field));
    expect(tradeLine(wireTrade({ [field]: id }), TODAY, { isLenient: true })).toEqual(bad(field));
  });

  test.each([
    ['conditionId', id, 'conditionId'],
    ['clobTokenIds', JSON.stringify(['1', id]), 'clobTokenIds.1'],
    ['positionIds', [id, '2'], 'positionIds.0'],
  ])('%s of a market', (field, value, detail) => {
    const context = { now: TODAY, categorise: categoryOf };
    expect(parse(wireMarket({ [field]: value }))).toEqual(bad(detail));
    expect(marketLine(gammaMarket({ [field]: value }), context)).toEqual(bad(detail));
  });

  test('proxyWallet of a wallet', () => {
    expect(parse({ proxyWallet: id, createdAt: '2026-01-01T00:00:00Z' })).toEqual(bad('proxyWallet'));
  });
});
