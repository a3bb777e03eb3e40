export type TextSpan =
  | string
  | { readonly bold: string }
  | { readonly italic: string }
  | { readonly code: string }
  | { readonly link: string; readonly text: string };

/** Paragraphs are shown with an empty line between them. */
export type Paragraph = readonly TextSpan[];

/** A tap passes `action` to the conversation, or opens a URL. Actions have at most 60 bytes of ASCII. */
export type Button =
  | { readonly label: string; readonly action: string }
  | { readonly label: string; readonly url: string };

/** The action of the button that hides a message with a secret; the lookup part of that secret follows after a colon. */
export const HIDE = 'hide';

export function isHide(action: string): boolean {
  return action === HIDE || action.startsWith(`${HIDE}:`);
}

export interface ShownSecret {
  readonly text: string;
  readonly keyId: string;
  readonly request: string;
}

export interface RepeatedTap {
  readonly request: string;
  readonly whileShown: Screen;
}

/** A page whose picture a message shows, large. Where the platform cannot show it the message has none. */
export interface LinkPreview {
  /** https addresses. A platform keeps what it read from an address: what has changed has another one. */
  readonly page: string;
  readonly picture: string;
}

export interface Screen {
  /** For tests and logs, for example `choose_tier`. */
  readonly name: string;
  readonly body: readonly Paragraph[];
  readonly buttons: readonly (readonly Button[])[];
  /** Null: addresses in the message have no preview. */
  readonly preview: LinkPreview | null;
  /** Whether the message makes no sound when the outbox sends it; an edit makes none anyway. */
  readonly isSilent: boolean;
  /**
   * The body shows the secret once, as a code span. The message can be copied, and is removed after 10 minutes or by its
   * button, whose action is `HIDE` and the lookup part. `Conversation.shown` is called when the platform accepted it.
   */
  readonly secret: ShownSecret | null;
  /** The next text of this person is passed to the conversation as the action `${action}:${text}`. */
  readonly ask: { readonly action: string; readonly label: string } | null;
  /** A secret that cannot be shown again; while its message exists a tap elsewhere gets `whileShown`. */
  readonly repeated: RepeatedTap | null;
  /** The person's own message has a secret and is deleted first, where the platform allows it (`withRemoval`). */
  readonly removesMessage: boolean;
}

export function plainText({ body }: Pick<Screen, 'body'>): string {
  return body.map((paragraph) => paragraph.map(plainSpan).join('')).join('\n\n');
}

/** The buttons without those that open a URL, which become lines of text, for when a platform refuses the URL. */
export function addressesAsText(buttons: Screen['buttons']) {
  const addresses = buttons.flat().filter((button) => 'url' in button);
  return {
    lines: addresses.map(({ label, url }) => `\n${label}: ${url}`).join(''),
    buttons: buttons.map((row) => row.filter((button) => 'action' in button)),
  };
}

function plainSpan(span: TextSpan): string {
  const text = spanText(span);
  return typeof span !== 'string' && 'link' in span && span.link !== text ? `${text} (${span.link})` : text;
}

export function spanText(span: TextSpan): string {
  if (typeof span === 'string') return span;
  if ('bold' in span) return span.bold;
  if ('italic' in span) return span.italic;
  return 'code' in span ? span.code : span.text;
}

export function withText(span: TextSpan, text: string): TextSpan {
  if (typeof span === 'string') return text;
  if ('bold' in span) return { bold: text };
  if ('italic' in span) return { italic: text };
  return 'code' in span ? { code: text } : { ...span, text };
}

export function plainScreen(
  name: string,
  body: readonly (Paragraph | string)[],
  buttons: readonly (readonly Button[])[],
  ask: Screen['ask'] = null,
): Screen {
  return {
    name,
    body: body.map((paragraph) => (typeof paragraph === 'string' ? [paragraph] : paragraph)),
    buttons,
    preview: null,
    isSilent: false,
    secret: null,
    ask,
    repeated: null,
    removesMessage: false,
  };
}

/** The screen, saying whether the person's message was deleted. */
export function withRemoval(screen: Screen, isRemoved: boolean): Screen {
  const words = isRemoved
    ? 'I have deleted your message.'
    : 'I cannot delete your message here: delete it yourself.';
  return { ...screen, body: [...screen.body, [words]] };
}

/** `nearest`: the command that was probably meant. */
export function unknownCommand(nearest: string | null = null): Screen {
  const words =
    nearest === null
      ? 'I do not know that command. Tap a button, or send /help to see what I can do.'
      : `I do not know that command. Did you mean /${nearest}?`;
  return plainScreen(
    'unknown',
    [words],
    [
      [
        { label: 'Menu', action: 'start' },
        { label: 'Help', action: 'help' },
      ],
    ],
  );
}
