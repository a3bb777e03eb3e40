import { isSlug, type Pasted, readPasted } from '../alerts/pasted.ts';
import { CATEGORIES } from '../trades/trade.ts';

/** What a word of a text names; `wrong` where it names nothing. */
export type Named = Exclude<Pasted, { kind: 'text' }>;

/** A word of a text and what it names. */
export interface NamedWord {
  readonly word: string;
  readonly named: Named;
}

/** Smaller numbers without `#` or `alert` are scores. */
const SCORE_MAX = 100;
const WRONG_WORD: Named = {
  kind: 'wrong',
  why: 'That is neither an address, nor a link, nor a market’s slug.',
};

/**
 * The addresses, links, slugs and numbers of alerts in a text, separated by spaces, commas or lines; a word that repeats another names
 * nothing new and is left out. Null for a text without any of them, which may be a filter. `ownHosts`: the hosts of our pages.
 */
export function namedWords(text: string, ownHosts: readonly string[]): readonly NamedWord[] | null {
  const words = /^@?(?:0x)?[\da-f]{3,}\s*(?:…|\.{2,})\s*[\da-f]+$/i.test(text.trim())
    ? [text.trim()]
    : text.split(/[\s,;]+/).filter((word) => word !== '');
  if (words.length === 0 || words.some(isOfFilter)) return null;
  const named = words.map((word) => ({ word, named: namedBy(word, ownHosts) }));
  // Beside other words, a number belongs to a filter: `over 10000`.
  const isFilter = named.some((one) => one.named === null);
  if (isFilter && named.every((one) => one.named === null || /^\d+$/.test(one.word))) return null;
  // The words beside a link are the title with which it was shared.
  const isShared = /https?:\/\//i.test(text);
  const read = named
    .filter((one) => one.named !== null || !isShared)
    .map(({ word, named: what }) => ({ word, named: what ?? WRONG_WORD }));
  const keys = read.map((one) => JSON.stringify(one.named.kind === 'wrong' ? one : one.named));
  return read.filter((_, index) => keys.indexOf(keys[index] as string) === index);
}

/** Null for any other word. */
function namedBy(word: string, ownHosts: readonly string[]): Named | null {
  const read = readPasted(word, ownHosts);
  if (read.kind === 'alert') return read.isNamed || read.id > SCORE_MAX ? read : null;
  if (read.kind !== 'text') return read;
  const slug = read.text.toLowerCase();
  const isCategory = CATEGORIES.some((category) => category === slug.replaceAll('-', '_'));
  return isSlug(slug) && !isCategory ? { kind: 'market', market: slug, event: slug } : null;
}

/** `category:politics`, `words`: neither a link nor `alert:123`. */
function isOfFilter(word: string): boolean {
  return /^(?:words?|search|(?!alert:)[a-z_]+[:=](?!\/\/).*)$/i.test(word);
}
