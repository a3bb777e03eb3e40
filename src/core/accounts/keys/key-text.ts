/** Prefix of every key (contract, Authentication 4). */
export const KEY_PREFIX = 'sk_live_';

/** Random bytes of a key; 43 base64url characters. */
export const KEY_BYTES = 32;

const LOOKUP_LENGTH = 10;
const WHOLE_KEY = /^sk_live_[A-Za-z0-9_-]{43}$/;

/** The lookup part of a well-formed key: the 10 characters after the prefix. Null for any other text. */
export function lookupOf(secret: string): string | null {
  if (!WHOLE_KEY.test(secret)) return null;
  return secret.slice(KEY_PREFIX.length, KEY_PREFIX.length + LOOKUP_LENGTH);
}

/** The lookup part of the start of a key with 10 or more characters after the prefix; null for any other text. */
export function lookupOfStart(text: string): string | null {
  const known = text.slice(KEY_PREFIX.length);
  return /^sk_live_[A-Za-z0-9_-]{10,43}$/.test(text) ? known.slice(0, LOOKUP_LENGTH) : null;
}

/** A lookahead, so that the text before a key cannot hide it. */
const KEYS = /(?=(sk_live_[A-Za-z0-9_-]{43}))/g;
/** A key that ends where the word does: when a removed line break has joined words, only these are keys. */
const WORD_KEYS = /sk_live_[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/g;
/** A line break inside a word that could be a key, with the space around it. */
const BROKEN_WORD = /(?<=[A-Za-z0-9_-])[^\S\n]*\n\s*(?=[A-Za-z0-9_-])/g;

/** The texts that look like a whole key, including one split by line breaks, each once. */
export function keysIn(text: string): readonly string[] {
  const whole = [...text.matchAll(KEYS)].map(([, key = '']) => key);
  const split = [...text.replace(BROKEN_WORD, '').matchAll(WORD_KEYS)].map(([key]) => key);
  return [...new Set([...whole, ...split])];
}

/** Slow hashing of whole keys (argon2id outside tests). */
export interface Hasher {
  /** A PHC string with its own salt. */
  hash(secret: string): Promise<string>;
  /** Throws if `hash` is not a PHC string. */
  verify(hash: string, secret: string): Promise<boolean>;
}
