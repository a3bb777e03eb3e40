/**
 * Ids of Polymarket Protocol V2, bit by bit from the highest: module 8, hash 128, arity 16, reserved 64, chain 16, condition 16,
 * outcome 8 ("Onchain Position Data" of the market's documentation). Those of earlier markets are hashes, in which 64 zeros
 * in a row do not happen.
 */
const RESERVED = ((1n << 64n) - 1n) << 40n;
const MODULE_SHIFT = 248n;
const MODULES = 3n;
const OUTCOME = 0xffn;

/** The market and outcome that a token id of Protocol V2 names; null for any other token. */
export function readPositionId(tokenId: string): { marketId: string; outcomeIndex: number } | null {
  if (!/^\d{70,78}$/.test(tokenId)) return null;
  const id = BigInt(tokenId);
  if (!isOfProtocolV2(id)) return null;
  const marketId = `0x${(id & ~OUTCOME).toString(16).padStart(64, '0')}`;
  return { marketId, outcomeIndex: Number(id & OUTCOME) };
}

/** Whether a market's id (32 bytes) is one of Protocol V2. */
export function isProtocolV2Market(marketId: string): boolean {
  if (!/^0x[0-9a-f]{62}00$/.test(marketId)) return false;
  return isOfProtocolV2(BigInt(marketId));
}

function isOfProtocolV2(id: bigint): boolean {
  const module = id >> MODULE_SHIFT;
  return module >= 1n && module <= MODULES && (id & RESERVED) === 0n;
}
