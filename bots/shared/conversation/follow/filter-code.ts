import type { LastingFilter } from '../../../../src/core/alerts/passes-filter.ts';
import { ALERT_TYPES } from '../../../../src/core/detection/candidate.ts';
import { categoriesOf, withCategories } from '../../../../src/core/follow/filter-text.ts';
import { CATEGORIES, SIDES } from '../../../../src/core/trades/trade.ts';

/** Before words that are not ASCII, in base64. Typed words never begin with it: they are in lower case. */
const ENCODED = 'B';
const NONE = '-';

/**
 * A filter as a part of an action, so that a button can save what its message shows, also after a restart: the categories as bits, type
 * and side by their index, the score, the dollars, and the words as they are.
 */
export function filterCode(filter: LastingFilter): string {
  const bits = categoriesOf(filter).reduce((sum, name) => sum | (1 << CATEGORIES.indexOf(name)), 0);
  const { type, side, minScore, minUsdc, search } = filter;
  const indexes = [
    type === undefined ? NONE : ALERT_TYPES.indexOf(type),
    side === undefined ? NONE : SIDES.indexOf(side),
  ].join('');
  const numbers = [bits || undefined, minScore, minUsdc].map((value) => value?.toString(36) ?? '').join('.');
  return `${indexes}${numbers}.${search === undefined ? '' : wordsCode(search)}`;
}

/** Null for a text that is none. */
export function filterOfCode(code: string): LastingFilter | null {
  const [, type = '', side = '', bits = '', score = '', usdc = '', words = ''] =
    /^([0-2-])([01-])([0-9a-z]{0,2})\.([0-9a-z]{0,2})\.([0-9a-z]{0,6})\.(.*)$/.exec(code) ?? [];
  if (type === '') return null;
  const filter: LastingFilter = {
    ...(type !== NONE && { type: ALERT_TYPES[Number(type)] as (typeof ALERT_TYPES)[number] }),
    ...(side !== NONE && { side: SIDES[Number(side)] as (typeof SIDES)[number] }),
    ...(score !== '' && { minScore: Number.parseInt(score, 36) }),
    ...(usdc !== '' && { minUsdc: Number.parseInt(usdc, 36) }),
    ...(words !== '' && { search: wordsOf(words) }),
  };
  const mask = bits === '' ? 0 : Number.parseInt(bits, 36);
  return withCategories(
    filter,
    CATEGORIES.filter((_, index) => (mask & (1 << index)) !== 0),
  );
}

function wordsCode(words: string): string {
  return /^[\x20-\x7e]*$/.test(words) ? words : ENCODED + Buffer.from(words).toString('base64url');
}

function wordsOf(code: string): string {
  return code.startsWith(ENCODED) ? Buffer.from(code.slice(1), 'base64url').toString() : code;
}
