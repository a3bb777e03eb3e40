import { SCORE_BANDS, typeInSentence } from '../alerts/alert-names.ts';
import type { LastingFilter } from '../alerts/passes-filter.ts';
import { listed, oneLine } from '../base/text/formats.ts';
import { nearestName } from '../base/text/nearest-name.ts';
import { ALERT_TYPES, type AlertType } from '../detection/candidate.ts';
import { CATEGORIES, type Category, SIDES, type Side } from '../trades/trade.ts';

/** The result of reading a typed filter. `word`: what is wrong; `right`: a sentence that says what is expected. */
export type ParsedFilter =
  | { readonly ok: true; readonly filter: LastingFilter }
  | { readonly ok: false; readonly word: string; readonly right: string };

/** Characters of the words that a rule searches for. A button holds a whole filter, in 60 bytes. */
export const WORDS_LENGTH = 34;

const USDC_MAX = 999_999_999;
/** Excludes nothing, alone or before conditions. */
const EVERY_ALERT = /\b(?:all|everything)\b/i;

/** A condition, or a sentence that explains what is accepted. */
type Value = LastingFilter | string;

const TYPE_ALIASES: Readonly<Record<string, AlertType>> = {
  ...Object.fromEntries(ALERT_TYPES.map((type) => [type, type])),
  new: 'fresh',
  accumulator: 'fresh_accumulator',
  accumulating: 'fresh_accumulator',
  clusters: 'cluster',
};
/** Words around a value that change nothing: every comparison means “or more”. */
const FILLERS = new Set(
  'all everything over above more than at least from or and higher up plus min minimum of size bets alerts trades with in on the'.split(
    ' ',
  ),
);
/** The words of pages and of sentences, in lower case, and what stands for them among the conditions. */
const PHRASES: readonly (readonly [words: RegExp, condition: string])[] = [
  [/,(?=\s|$)/g, ' '],
  ...ALERT_TYPES.toReversed().map((type) => phrase(typeInSentence(type), `type:${type}`)),
  ...SCORE_BANDS.map(({ word, from }) => phrase(word, `score:${from}`)),
  ...CATEGORIES.map((category) => phrase(category.replaceAll('_', ' '), category)),
  [/([:=])\s+/g, '$1'],
  [/\b(?:score|signal)\s+(?:(?:of|at|least|from|over|above|more|than|>=?|≥)\s*)*(?=\d)/gi, 'score:'],
  [/(?<!\S)(?:>=?|≥)\s*/g, ''],
  [/\$\s+/g, '$'],
  [/\$?(\d[\d,.]*[km]?)\s*(?:dollars|usdc?)(?![\w:=])/gi, '$$$1'],
];
const TYPES_RIGHT = `A type is ${listed(ALERT_TYPES.map(typeInSentence), 'or')}.`;
const CATEGORIES_RIGHT = `A category is ${listed(CATEGORIES, 'or')}.`;

/** Every name of a condition, the API's name first, with what its value means. */
const READERS: readonly { readonly names: readonly string[]; readonly read: (value: string) => Value }[] = [
  { names: ['category', 'categories', 'cat'], read: readCategories },
  { names: ['min_signal', 'score'], read: readScore },
  { names: ['min'], read: readNumber },
  { names: ['min_position', 'usdc', 'dollars'], read: readUsdc },
  {
    names: ['alert_type', 'type'],
    read: (value) => {
      const type = Object.hasOwn(TYPE_ALIASES, value) ? TYPE_ALIASES[value] : undefined;
      return type === undefined ? TYPES_RIGHT : { type };
    },
  },
  {
    names: ['side'],
    read: (value) => {
      const side = sideOf(value);
      return side === null ? 'A side is buy or sell.' : { side };
    },
  },
];
const SEARCH_NAMES = ['search', 'words', 'word'];
const NAMES = [...READERS.flatMap(({ names }) => names), ...SEARCH_NAMES];

/** What a filter may contain, for the answer to one that cannot be read. */
export const FILTER_HELP = 'politics score 60 over $5000 buy words fed rate';

/**
 * A filter from a line in the words of the pages and of a sentence, in any order and case: `politics over 10000`, `strong`,
 * `score 60 or more`, `cluster of new wallets`; `words` takes the rest of the line. Values alone are understood where they can be only
 * one thing, `politics 60 $5k`, and so are the names of the API, `category:politics min_signal:60`. `all` adds no condition: alone it is
 * every alert.
 */
export function parseFilterText(text: string): ParsedFilter {
  const line = text.trim();
  if (line === '') return { ok: false, word: '', right: `A filter is for example ${FILTER_HELP}.` };
  const [, before = '', name = '', words] =
    /^(.*?)(?:(?:^|\s)(words?|search)(?:\s*[:=]\s*|\s+|$)(.*))?$/is.exec(line) ?? [];
  let filter: LastingFilter = {};
  for (const word of conditionsIn(before)) {
    const value = readWord(word.toLowerCase());
    if (typeof value === 'string') return { ok: false, word, right: value };
    const joined = join(filter, value);
    if (joined === null) return { ok: false, word, right: 'That is said twice: use each condition once.' };
    filter = joined;
  }
  // Words that only surround conditions are no filter.
  const isNothing = before.trim() !== '' && Object.keys(filter).length === 0 && !EVERY_ALERT.test(before);
  if (isNothing) return { ok: false, word: before.trim(), right: notUnderstood(before.trim()) };
  if (words === undefined) return { ok: true, filter };
  const search = oneLine(words)
    .replace(/^["“”']+|["“”']+$/g, '')
    .replaceAll(/\s+/g, ' ')
    .toLowerCase();
  if (search === '')
    return { ok: false, word: name, right: `Put the words to look for after it: words fed rate.` };
  if (encodedLength(search) > WORDS_LENGTH)
    return {
      ok: false,
      word: search,
      right: `Words have at most ${WORDS_LENGTH} characters, and letters beyond a to z count more.`,
    };
  return { ok: true, filter: { ...filter, search } };
}

/** The conditions in a line, without the words around them; one that is only misspelt keeps its capitals. */
function conditionsIn(line: string): readonly string[] {
  const known = PHRASES.reduce((text, [words, condition]) => text.replaceAll(words, condition), line);
  return known.split(/[\s;]+/).filter((part) => part !== '' && !FILLERS.has(part.toLowerCase()));
}

function phrase(words: string, condition: string): readonly [RegExp, string] {
  return [new RegExp(`(?<![\\w:=,-])${words}(?![\\w,-])`, 'gi'), condition];
}

/** A filter in words that can be typed: `politics score 60 over $10000`. */
export interface TypedFilter {
  /** What `parseFilterText` reads as the filter. */
  readonly text: string;
  readonly filter: LastingFilter;
}

/**
 * Null for a filter that cannot be typed: one with a wallet or market, the size of an order, a fraction of a dollar, or words that
 * are too long or in quotes.
 */
export function typedFilter(filter: LastingFilter): TypedFilter | null {
  const { category: _, categories: __, minScore, minPosition, type, side, search, ...others } = filter;
  if (Object.values(others).some((value) => value !== undefined)) return null;
  const categories = categoriesOf(filter);
  // Both must match: no alert has two categories.
  if (!categories.every((name) => filter.categories?.includes(name) ?? true)) return null;
  const conditions = [
    ...categories.map((name) => name.replaceAll('_', ' ')),
    minScore === undefined ? null : `score ${minScore}`,
    minPosition === undefined ? null : `over $${minPosition}`,
    type === undefined ? null : typeInSentence(type),
    side === undefined ? null : side.toLowerCase(),
    search === undefined ? null : `words ${search}`,
  ];
  const text = conditions.filter((condition) => condition !== null).join(' ') || 'all';
  const parsed = parseFilterText(text);
  if (!parsed.ok) return null;
  const isSame = parsed.filter.minPosition === minPosition && parsed.filter.search === search?.toLowerCase();
  return isSame ? { text, filter: parsed.filter } : null;
}

/** Bytes that words take in a button: ASCII as it is, other texts in base64. */
function encodedLength(words: string): number {
  const bytes = new TextEncoder().encode(words).length;
  return /^[\x20-\x7e]*$/.test(words) ? bytes : Math.ceil((bytes * 4) / 3);
}

function readWord(word: string): Value {
  const [, name, value = ''] = /^([a-z_]+)(?:[:=]|>=)(.*)$/.exec(word) ?? [];
  if (name !== undefined) {
    const reader = READERS.find(({ names }) => names.includes(name));
    return reader === undefined
      ? `There is no “${name}”. ${closest(name, NAMES)}`.trim()
      : reader.read(value.replace(/\+$/, ''));
  }
  return readBare(word) ?? notUnderstood(word);
}

/** A value without its name. */
function readBare(word: string): Value | null {
  const number = word.replace(/\+$/, '');
  if (/^\d[\d,_.]*[km]?$/.test(number)) return readNumber(number);
  if (number.startsWith('$')) return readUsdc(number);
  const side = sideOf(word);
  if (side !== null) return { side };
  if (Object.hasOwn(TYPE_ALIASES, word)) return { type: TYPE_ALIASES[word] as AlertType };
  const categories = readCategories(word);
  return typeof categories === 'string' ? null : categories;
}

function notUnderstood(word: string): string {
  const known = [...CATEGORIES, ...ALERT_TYPES, 'buy', 'sell'];
  return `${closest(word, known)} To look for it in the market’s question: words ${word}`.trim();
}

function readCategories(value: string): Value {
  const names = value.split(',').map((name) => name.replace(/^#/, '').replaceAll('-', '_'));
  const categories = names.filter((name): name is Category => CATEGORIES.some((known) => known === name));
  const wrong = names.find((name) => !CATEGORIES.some((known) => known === name));
  return wrong === undefined ? { categories } : `${closest(wrong, CATEGORIES)} ${CATEGORIES_RIGHT}`.trim();
}

function readScore(value: string): Value {
  const minScore = Number(value);
  return /^\d{1,3}$/.test(value) && minScore <= 100
    ? { minScore }
    : 'A score is a whole number from 0 to 100: min:60.';
}

/** Below 1,000 a score, from there on dollars. */
function readNumber(value: string): Value {
  return Number(value) < 1_000 ? readScore(value) : readUsdc(value);
}

function readUsdc(value: string): Value {
  const [, digits = '', unit = ''] = /^\$?([\d,_]*\.?\d+)([km]?)$/.exec(value) ?? [];
  const factor = unit === 'k' ? 1_000 : unit === 'm' ? 1_000_000 : 1;
  const minPosition = Math.round(Number(digits.replaceAll(/[,_]/g, '')) * factor);
  return digits !== '' && minPosition <= USDC_MAX
    ? { minPosition }
    : 'Dollars are a number, such as usdc:5000 or usdc:5k.';
}

function sideOf(value: string): Side | null {
  if (value === 'sales') return 'SELL';
  return SIDES.find((side) => side === value.replace(/s$/, '').toUpperCase()) ?? null;
}

/** Both together; categories add up. Null if they say the same thing twice. */
function join(one: LastingFilter, other: LastingFilter): LastingFilter | null {
  const { category, categories, ...rest } = { ...one, ...other };
  const all = [one, other].flatMap(categoriesOf);
  const isTwice = Object.keys(other).some((field) => field !== 'categories' && field in one);
  return isTwice ? null : withCategories(rest, all);
}

/** The filter with these categories, each once, in the order of the table; a single one as `category`. */
export function withCategories(filter: LastingFilter, given: readonly Category[]): LastingFilter {
  const { category, categories, ...rest } = filter;
  const wanted = CATEGORIES.filter((name) => given.includes(name));
  const [first, ...more] = wanted;
  if (first === undefined) return rest;
  return more.length === 0 ? { ...rest, category: first } : { ...rest, categories: wanted };
}

/** The categories that a filter names; none: all. */
export function categoriesOf({ category, categories }: LastingFilter): readonly Category[] {
  return category === undefined ? (categories ?? []) : [category];
}

/** `Did you mean politics?`, or nothing. */
function closest(word: string, known: readonly string[]): string {
  const name = nearestName(word, known);
  return name === null ? '' : `Did you mean ${name}?`;
}
