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

/**
 * Characters without a shape: they turn text around, or hide in it. Joiners stay (U+200C and U+200D, which Persian and emoji
 * need), and so do variation selectors and tags, which are parts of emoji.
 */
const INVISIBLE = /[\p{Bidi_Control}\u00ad\u180e\u200b\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;
const VISIBLE = /[^\p{Default_Ignorable_Code_Point}\p{White_Space}\p{Cc}\p{Mn}\u2800]/u;

/**
 * A name that a person gave, without invisible characters and without space around it, as text copied from a web page may
 * have them. Empty when nothing of it can be seen. Control characters inside stay: the caller refuses them.
 */
export function cleanName(text: string): string {
  const name = text.replace(INVISIBLE, '').trim();
  return VISIBLE.test(name) ? name : '';
}
