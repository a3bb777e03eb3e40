/** In code points. */
const LONGEST = 300;
const CONTROLS = /\p{Cc}+/gu;
const WORD_BREAK = /[\s\u0085]/u;
/** Marks that turn the direction of what follows, and halves of surrogate pairs. */
const REMOVED = /[\u202A-\u202E\u2066-\u2069\p{Cs}]/gu;
const UNCLEAN = new RegExp(`${CONTROLS.source}|${REMOVED.source}`, 'u');

/**
 * Text that strangers wrote as it is kept: without control characters, which steer a terminal, and marks that turn the
 * direction of text; at most 300 code points. Line breaks and tabs become a space. Harmless text is returned as it is.
 */
export function cleanText(text: string): string {
  if (text.length <= LONGEST && !UNCLEAN.test(text)) return text;
  const cleaned = text
    .replace(REMOVED, '')
    .replace(CONTROLS, (controls) => (WORD_BREAK.test(controls) ? ' ' : ''));
  // Twice as many code units hold as many code points.
  return [...cleaned.slice(0, 2 * LONGEST)].slice(0, LONGEST).join('');
}
