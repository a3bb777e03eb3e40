import type { RawRow } from './text-fields.ts';

/** The first byte of the ids of a combo: module 3 of Protocol V2. */
const MODULE = /^0x03/i;
/** The same of its token, which tests and tapes may also write as a small number. */
const TOKEN_MODULE = /^0[03]/;

/**
 * Whether a row of a trade is one of a combo: a position in several markets, which has no market of its own. The market flags
 * some of these rows. In others the ids show it: the market's id has 31 bytes, also padded to 32, and begins with the module,
 * or it continues in the token's. Ids of earlier markets are hashes, and one in 256 begins with this byte as well, so the
 * token has to agree.
 */
export function isComboRow(row: RawRow): boolean {
  if (row['is_combo'] === true || row['isCombo'] === true) return true;
  const condition = row['conditionId'] ?? row['condition_id'];
  if (typeof condition !== 'string' || !MODULE.test(condition)) return false;
  if (condition.length === 64) return true;
  const asset = String(row['asset'] ?? row['token_id']);
  const token = /^\d{1,78}$/.test(asset) ? BigInt(asset).toString(16).padStart(64, '0') : '';
  if (condition.length === 66 && condition.endsWith('00')) return TOKEN_MODULE.test(token);
  return condition.slice(2, 64).toLowerCase() === token.slice(0, 62);
}
