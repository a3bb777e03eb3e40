import type { RandomText } from '../random-text.ts';

/** Characters of a link code: 39 bits. */
export const LINK_CODE_LENGTH = 8;

/** Without characters that look alike: I, L, O, U, 0 and 1. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';

/** A code for a person to type. */
export function linkCode(random: RandomText): string {
  let code = '';
  while (code.length < LINK_CODE_LENGTH) {
    // The characters of the alphabet are equally frequent among the 64 of base64url.
    for (const character of random.base64url(LINK_CODE_LENGTH)) {
      if (code.length < LINK_CODE_LENGTH && ALPHABET.includes(character)) code += character;
    }
  }
  return code;
}
