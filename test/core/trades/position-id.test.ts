import { describe, expect, test } from 'vitest';
import { readPositionId } from '../../../src/core/trades/position-id.ts';

/** Ids as the CLOB, the Data API and the market's documentation had them on 2026-10-05; the last two are of CTF markets. */
const POSITION = '663574927012476832975694178961957910328055987427402067619466963999000625153';
const MARKET = '0x017791f201d5a788e0039e511fc1900e5f000000000000000000000000000000';
const CTF_TOKEN = '71321045679252212594626385532706912750332728571942532289631379312455583992563';

describe('a position id of Protocol V2', () => {
  test('names its market, padded to 32 bytes, and the index of its outcome', () => {
    expect(readPositionId(POSITION)).toEqual({ marketId: MARKET, outcomeIndex: 1 });
  });

  test.each([CTF_TOKEN, '1001', '', '0x17', `${POSITION}0000`, '-1', `${2n ** 255n}`])(
    '%s is none',
    (tokenId) => {
      expect(readPositionId(tokenId)).toBeNull();
    },
  );
});
