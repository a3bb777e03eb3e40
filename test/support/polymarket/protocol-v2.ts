import { gammaMarket } from './gamma-market.ts';

/**
 * A market of Polymarket Protocol V2: Gamma has its id of 31 bytes, everything else the same padded with zeros on the
 * right. Ids as the Data API, the CLOB and Gamma's documented example (`positionIds`, null `clobTokenIds`) had them on
 * 2026-10-05.
 */
export const V2_ID = `0x${'017791f201d5a788e0039e511fc1900e5f'.padEnd(64, '0')}`;
export const V2_ID_OF_GAMMA = V2_ID.slice(0, -2);
export const V2_POSITIONS = [
  '663574927012476832975694178961957910328055987427402067619466963999000625152',
  '663574927012476832975694178961957910328055987427402067619466963999000625153',
] as const;

export function protocolV2Market(given: Record<string, unknown> = {}): Record<string, unknown> {
  return gammaMarket({
    version: 'v2',
    conditionId: V2_ID_OF_GAMMA,
    clobTokenIds: null,
    positionIds: V2_POSITIONS,
    ...given,
  });
}
