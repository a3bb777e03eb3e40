import type { Alert } from './alert.ts';
import { isSlug, type Pasted, readPasted } from './pasted.ts';

const ADDRESS_LENGTH = 42;

/** What a search looks for: a wallet, an alert or a market that the text names, or its words. */
export type Searched = Extract<Pasted, { kind: 'wallet' | 'alert' | 'market' }> | SearchedWords;

interface SearchedWords {
  readonly kind: 'words';
  /** In lower case. */
  readonly words: readonly string[];
  /** The text, if it can be the slug of an event. */
  readonly event: string | null;
}

/** The texts of a market that a search looks at, in lower case. */
export interface SearchedTexts {
  readonly marketId: string;
  readonly title: string;
  readonly slug: string;
}

/** Reads the text of a search. */
export function readSearch(given: string): Searched {
  const read = readPasted(given);
  // The beginning of an address is a part of a text: a search finds exact addresses, and shortened ones that have both ends.
  if (isBeginning(read)) return searchedWords(given.toLowerCase().trim());
  if (read.kind === 'wallet' || read.kind === 'market' || (read.kind === 'alert' && read.isNamed))
    return read;
  const text = (read.kind === 'text' ? read.text : given).toLowerCase().trim();
  return searchedWords(text);
}

function isBeginning(read: Pasted): boolean {
  return read.kind === 'wallet' && read.ends.end === '' && read.ends.start.length < ADDRESS_LENGTH;
}

/** A text in lower case, as words. */
export function searchedWords(text: string): SearchedWords {
  const words = text.split(/\s+/).map((word) => word.replace(/^["“”']+|["“”',;]+$/g, '') || word);
  return { kind: 'words', words, event: isSlug(text) ? text : null };
}

/** Whether the texts are those of a searched market, or have all words that are searched for, in any order. */
export function isInTexts(searched: Searched, { marketId, title, slug }: SearchedTexts): boolean {
  if (searched.kind === 'words')
    return searched.words.every((word) => title.includes(word) || slug.includes(word));
  if (searched.kind !== 'market') return false;
  return marketId === searched.market || slug === (searched.market ?? searched.event);
}

/** The slug of the event all of whose markets are searched for; null where one market is. */
export function searchedEvent(searched: Searched): string | null {
  if (searched.kind !== 'market') return searched.kind === 'words' ? searched.event : null;
  const { market, event } = searched;
  return market === null || market === event ? event : null;
}

/** Whether a search finds an alert. */
export function isFound(searched: Searched, alert: Alert): boolean {
  if (searched.kind === 'wallet')
    return alert.wallet.startsWith(searched.ends.start) && alert.wallet.endsWith(searched.ends.end);
  if (searched.kind === 'alert') return alert.id === searched.id;
  const { marketId, eventTitle, eventSlug, marketEvent } = alert;
  const texts = {
    marketId: marketId.toLowerCase(),
    title: eventTitle.toLowerCase(),
    slug: eventSlug.toLowerCase(),
  };
  return isInTexts(searched, texts) || (marketEvent !== null && marketEvent === searchedEvent(searched));
}
