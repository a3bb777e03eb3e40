import type { RandomText } from '../random-text.ts';

/** Characters of a code that links: 39 bits. */
export const LINK_CODE_LENGTH = 8;

/** None of them looks like another: I, L, O and U are left out, and so are 0 and 1. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';

/** A code to be typed by a person. */
export function linkCode(random: RandomText): string {
  let code = '';
  while (code.length < LINK_CODE_LENGTH) {
    // Those of the 64 characters that are in the alphabet come equally often.
    for (const character of random.base64url(LINK_CODE_LENGTH)) {
      if (code.length < LINK_CODE_LENGTH && ALPHABET.includes(character)) code += character;
    }
  }
  return code;
}
