/** Control characters, bidirectional marks, line separators, and lone surrogates. */
const UNSAFE = /[\p{Cc}\p{Cs}\u2028-\u202E\u2066-\u2069]/gu;

/** Makes untrusted text safe to print: characters that control a terminal or start a line become escapes like `\u001b`. */
export function escapeControls(text: string): string {
  return text.replace(UNSAFE, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
