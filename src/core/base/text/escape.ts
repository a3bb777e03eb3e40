const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Makes plain text safe as the content of an HTML element, or as the value of an attribute in double quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
}

/** Control characters, bidirectional marks, line separators, and lone surrogates. */
const UNSAFE = /[\p{Cc}\p{Cs}\u2028-\u202E\u2066-\u2069]/gu;

/** Makes untrusted text safe to print: characters that control a terminal or start a line become escapes like `\u001b`. */
export function escapeControls(text: string): string {
  return text.replace(UNSAFE, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
