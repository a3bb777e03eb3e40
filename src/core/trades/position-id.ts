/**
 * Layout of a Protocol V2 position id in bits, highest first: module 8, hash 128, arity 16, reserved 64, chain 16,
 * condition 16, outcome 8 (Polymarket documentation, "Onchain Position Data"). Earlier token ids are hashes, which never
 * have 64 zero bits in a row.
 */
const RESERVED = ((1n << 64n) - 1n) << 40n;
const MODULE_SHIFT = 248n;
const MODULES = 3n;
const OUTCOME = 0xffn;

/** Reads market and outcome from a Protocol V2 token id (a decimal number); null for any other token. */
export function readPositionId(tokenId: string): { marketId: string; outcomeIndex: number } | null {
  if (!/^\d{70,78}$/.test(tokenId)) return null;
  const id = BigInt(tokenId);
  const module = id >> MODULE_SHIFT;
  if (module < 1n || module > MODULES || (id & RESERVED) !== 0n) return null;
  const marketId = `0x${(id & ~OUTCOME).toString(16).padStart(64, '0')}`;
  return { marketId, outcomeIndex: Number(id & OUTCOME) };
}
