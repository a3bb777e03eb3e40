import type { LastingFilter } from '../alerts/passes-filter.ts';
import { ALERT_TYPES } from '../detection/candidate.ts';
import { CATEGORIES, SIDES } from '../trades/trade.ts';
import { categoriesOf, typedFilter, withCategories } from './filter-text.ts';

/** Precedes words in base64. Typed words never begin with it, since they are in lower case. */
const ENCODED = 'B';
const NONE = '-';
const ASCII = /^[\x20-\x7e]*$/;

/**
 * A filter as a part of an action, so that a button can save what its message shows, also after a restart: type and side by their
 * index, the categories as bits, the score, the dollars, and the words: unencoded if they are ASCII.
 */
export function filterCode(filter: LastingFilter): string {
  const { search } = filter;
  return (
    conditionsCode(filter) + (search === undefined || ASCII.test(search) ? (search ?? '') : encoded(search))
  );
}

/** The same for a link: letters, digits, `_` and `-`, at most 62 of them. */
export function filterLinkCode(filter: LastingFilter): string {
  const { search } = filter;
  return conditionsCode(filter) + (search === undefined ? '' : encoded(search));
}

function conditionsCode({ type, side, minScore, minPosition, ...filter }: LastingFilter): string {
  const bits = categoriesOf(filter).reduce((sum, name) => sum | (1 << CATEGORIES.indexOf(name)), 0);
  const indexes = [
    type === undefined ? NONE : ALERT_TYPES.indexOf(type),
    side === undefined ? NONE : SIDES.indexOf(side),
  ].join('');
  const numbers = [bits || undefined, minScore, minPosition].map((value) => `${value?.toString(36) ?? ''}_`);
  return indexes + numbers.join('');
}

/** Reads either code. Null for other texts, and for filters that cannot be typed, since anyone can make up a code. */
export function filterOfCode(code: string): LastingFilter | null {
  const [, type = '', side = '', bits = '', score = '', usdc = '', words = ''] =
    /^([0-2-])([01-])([0-9a-z]{0,2})_([0-9a-z]{0,2})_([0-9a-z]{0,6})_(.*)$/.exec(code) ?? [];
  if (type === '') return null;
  const filter: LastingFilter = {
    ...(type !== NONE && { type: ALERT_TYPES[Number(type)] as (typeof ALERT_TYPES)[number] }),
    ...(side !== NONE && { side: SIDES[Number(side)] as (typeof SIDES)[number] }),
    ...(score !== '' && { minScore: Number.parseInt(score, 36) }),
    ...(usdc !== '' && { minPosition: Number.parseInt(usdc, 36) }),
    ...(words !== '' && { search: wordsOf(words) }),
  };
  const mask = bits === '' ? 0 : Number.parseInt(bits, 36);
  const categories = CATEGORIES.filter((_, index) => (mask & (1 << index)) !== 0);
  return typedFilter(withCategories(filter, categories))?.filter ?? null;
}

function encoded(words: string): string {
  return ENCODED + Buffer.from(words).toString('base64url');
}

function wordsOf(code: string): string {
  return code.startsWith(ENCODED) ? Buffer.from(code.slice(1), 'base64url').toString() : code;
}
