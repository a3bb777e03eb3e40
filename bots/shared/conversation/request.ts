import type { RandomText } from '../../../src/core/random-text.ts';

/** 72 bits: unique among all keys, and short enough for a button. */
const REQUEST_BYTES = 9;

/** Names a tap before it is made, so that a repeated one is recognised. */
export function newRequest(random: RandomText): string {
  return random.base64url(REQUEST_BYTES);
}

export function isRequest(text: string | undefined): text is string {
  return text !== undefined && /^[\w-]{12}$/.test(text);
}
