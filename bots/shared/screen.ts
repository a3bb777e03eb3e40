/** A piece of text. A string is plain; line breaks are `\n`. Nothing is escaped yet: renderers do. */
export type TextSpan =
  | string
  | { readonly bold: string }
  | { readonly italic: string }
  | { readonly code: string }
  | { readonly link: string; readonly text: string };

/** Paragraphs are shown with an empty line between them. */
export type Paragraph = readonly TextSpan[];

/** Tapping gives the conversation its `action`, or opens an address. Actions are at most 60 bytes of ASCII. */
export type Button =
  | { readonly label: string; readonly action: string }
  | { readonly label: string; readonly url: string };

/** The action of the button that hides a message with a secret. */
export const HIDE = 'hide';

/** A whole key, shown in a private chat this once. */
export interface ShownSecret {
  readonly text: string;
  readonly keyId: string;
  /** For `Desk.shown`. */
  readonly request: string;
}

/** A tap whose request has given a secret before. */
export interface RepeatedTap {
  readonly request: string;
  /** The answer while the message with that secret is there. */
  readonly whileShown: Screen;
}

/** What a person sees, on any platform. */
export interface Screen {
  /** For tests and logs, for example `choose_tier`. */
  readonly name: string;
  readonly body: readonly Paragraph[];
  /** Rows of buttons. */
  readonly buttons: readonly (readonly Button[])[];
  /**
   * When it is there, the body shows it once as a code span of its own. The message can be copied, removes itself
   * after 10 minutes or by its button, whose action is `HIDE`, and `Desk.shown` is told when the platform took it.
   */
  readonly secret: ShownSecret | null;
  /** The next line of text from this person goes to the conversation with this action in front: `${action}:${text}`. */
  readonly ask: { readonly action: string; readonly label: string } | null;
  /**
   * When it is there, the screen says that a secret cannot be shown again. While the message with that secret is there,
   * it stays as it is, and a tap on another message is answered with `whileShown`.
   */
  readonly repeated: RepeatedTap | null;
}

/** A screen's plain words, as the terminal without colour shows them. */
export function plainText({ body }: Pick<Screen, 'body'>): string {
  return body.map((paragraph) => paragraph.map(plainSpan).join('')).join('\n\n');
}

function plainSpan(span: TextSpan): string {
  if (typeof span === 'string') return span;
  if ('bold' in span) return span.bold;
  if ('italic' in span) return span.italic;
  if ('code' in span) return span.code;
  return span.text === span.link ? span.text : `${span.text} (${span.link})`;
}
