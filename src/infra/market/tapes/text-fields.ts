import { z } from 'zod';

/** In code points. */
const LONGEST = 300;
const CONTROLS = /\p{Cc}+/gu;
const WORD_BREAK = /[\s\u0085]/u;
/** Bidirectional control characters, and unpaired surrogates. */
const REMOVED = /[\u202A-\u202E\u2066-\u2069\p{Cs}]/gu;
const UNCLEAN = new RegExp(`${CONTROLS.source}|${REMOVED.source}`, 'u');

/**
 * Sanitises text from third parties: removes control characters, which steer a terminal, and bidirectional controls, and
 * truncates to 300 code points. Line breaks and tabs become a space. Harmless text is returned unchanged.
 */
export function cleanText(text: string): string {
  if (text.length <= LONGEST && !UNCLEAN.test(text)) return text;
  const cleaned = text
    .replace(REMOVED, '')
    .replace(CONTROLS, (controls) => (WORD_BREAK.test(controls) ? ' ' : ''));
  // 300 code points are at most 600 code units.
  return [...cleaned.slice(0, 2 * LONGEST)].slice(0, LONGEST).join('');
}

/** Text from third parties, sanitised. */
export const writtenText = z.string().overwrite(cleanText);

/** Third-party text that is optional in a row. Null where it is absent, empty or not a string, so that the row stays valid. */
export const optionalText = z
  .string()
  .transform((text) => cleanText(text) || null)
  .nullable()
  .catch(null);

/**
 * An id in a row (wallet, token, market, transaction): 1 to 100 printable ASCII characters. The longest real one is a token
 * id of 78 digits. Not necessarily hexadecimal: hand-made tapes use other ids.
 */
export const idSchema = z.string().regex(/^[\x21-\x7E]{1,100}$/);
