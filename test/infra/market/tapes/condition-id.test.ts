import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseRow } from '../../../../src/infra/market/tapes/row-schema.ts';
import { conditionIdOf, isConditionId } from '../../../../src/infra/market/tapes/text-fields.ts';
import { V2_ID, V2_ID_OF_GAMMA, V2_POSITIONS } from '../../../support/polymarket/protocol-v2.ts';
import { TODAY, wireMarket, wireTrade } from './source-fixture.ts';

describe('the id of a market', () => {
  test('of 31 bytes is padded to 32 on the right, as the Data API and the CLOB have it', () => {
    expect(conditionIdOf(V2_ID_OF_GAMMA)).toBe(V2_ID);
  });

  test('is in lower case, and once read stays as it is', () => {
    const digits = fc.oneof(
      fc.stringMatching(/^0[xX][0-9a-fA-F]{62}$/),
      fc.stringMatching(/^0[xX][0-9a-fA-F]{64}$/),
      fc.string(),
    );
    fc.assert(
      fc.property(digits, (text) => {
        const id = conditionIdOf(text);
        expect(id).toBe(id.toLowerCase());
        expect(conditionIdOf(id)).toBe(id);
        expect(isConditionId(id)).toBe(/^0x(?:[0-9a-f]{62}|[0-9a-f]{64})$/i.test(text));
      }),
    );
  });

  test.each(['', '0x', '0xm1', `0x${'a'.repeat(63)}`, `0x${'a'.repeat(65)}`, ` 0x${'a'.repeat(64)}`, 'x&y'])(
    '%j is none to ask for',
    (text) => {
      expect(isConditionId(conditionIdOf(text))).toBe(false);
    },
  );
});

describe('a row of a tape', () => {
  const read = (raw: Record<string, unknown>) => parseRow(raw, TODAY, () => 'other');

  test('names a Protocol V2 market by one id, whichever width it was written in', () => {
    const ids = [V2_ID, V2_ID_OF_GAMMA, V2_ID_OF_GAMMA.toUpperCase().replace('0X', '0x')];
    for (const conditionId of ids) {
      expect(read(wireTrade({ conditionId }))).toMatchObject({ trade: { marketId: V2_ID } });
      expect(read(wireMarket({ conditionId }))).toMatchObject({ market: { id: V2_ID } });
    }
  });

  test.each([
    ['v2', null, V2_POSITIONS, V2_POSITIONS],
    ['v2', ['1', '2'], V2_POSITIONS, V2_POSITIONS],
    ['v2', ['1', '2'], null, []],
    ['v1', '["1","2"]', V2_POSITIONS, ['1', '2']],
    [undefined, null, JSON.stringify(V2_POSITIONS), V2_POSITIONS],
    [undefined, ['1', '2'], undefined, ['1', '2']],
  ])(
    'of version %j with token ids %j and positions %j has the tokens %j',
    (version, clobTokenIds, positionIds, tokenIds) => {
      expect(read(wireMarket({ version, clobTokenIds, positionIds }))).toMatchObject({
        market: { tokenIds },
      });
    },
  );
});
