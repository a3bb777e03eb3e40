/**
 * Text as lower-case words with one space around each, accents and punctuation gone: `S&P 500's` becomes
 * ` s p 500 s `. Text without a word gives only blanks. Never throws.
 */
export function toWords(text: string): string {
  const words = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  return ` ${words.filter((word) => word !== '').join(' ')} `;
}

/** Whether the words contain the phrase as whole words: `sol` is not in `resolution`. `words` is from `toWords`. */
export function hasPhrase(words: string, phrase: string): boolean {
  return words.includes(` ${phrase} `);
}

/** A table entry: phrases between commas, each already in the form `toWords` gives, without the outer spaces. */
export function phraseList(text: string): readonly string[] {
  return text.split(',').map((phrase) => phrase.trim().replace(/\s+/g, ' '));
}
