/** Control characters, marks that turn the direction of text, line separators, and halves of surrogate pairs. */
const UNSAFE = /[\p{Cc}\p{Cs}\u2028-\u202E\u2066-\u2069]/gu;

/** Text of a stranger as it may be printed: what steers a terminal, or makes a line of its own, is shown as `\u001b`. */
export function escapeControls(text: string): string {
  return text.replace(UNSAFE, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
