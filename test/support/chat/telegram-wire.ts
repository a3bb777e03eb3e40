import { parseHtml } from './telegram-html.ts';

/**
 * How a call goes wrong. `drop`: it is done, and the connection breaks before the answer.
 * `html`: a proxy answers with this page.
 */
export type Fault =
  | { readonly code: number; readonly description: string; readonly parameters?: object }
  | { readonly code: number; readonly html: string }
  | 'hang'
  | 'drop';

export interface Call {
  readonly method: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface StandInMessage {
  readonly id: number;
  text: string;
  links: readonly { readonly offset: number; readonly length: number; readonly url: string }[];
  /** Of which page it has a preview, and how (core.telegram.org/bots/api#linkpreviewoptions); null: it has none. */
  preview: LinkPreview | null;
  keyboard: readonly (readonly StandInButton[])[];
  buttons: readonly StandInButton[];
  readonly replyTo: number | null;
  readonly isSilent: boolean;
  /** Counts what was shown or edited, in all chats: the newest has the highest. */
  touched: number;
}

interface LinkPreview {
  readonly url: string;
  readonly prefer_large_media?: boolean;
  readonly show_above_text?: boolean;
}

export interface StandInButton {
  readonly text: string;
  readonly url?: string;
  readonly callback_data?: string;
  readonly copy_text?: { readonly text: string };
}

export interface Answer {
  readonly result?: unknown;
  readonly code?: number;
  readonly description?: string;
  readonly parameters?: object;
}

export const bad = (description: string): Answer & { readonly code: number } => ({
  code: 400,
  description: `Bad Request: ${description}`,
});

export const NOT_MODIFIED =
  'message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message';

/** A message as an answer or an update has it, without its chat. */
export function messageFields({ id, text, keyboard, preview }: StandInMessage): object {
  return {
    message_id: id,
    date: 1,
    text,
    ...(keyboard.length > 0 && { reply_markup: { inline_keyboard: keyboard } }),
    ...(preview !== null && { link_preview_options: preview }),
  };
}

type Content = Pick<StandInMessage, 'text' | 'links' | 'keyboard' | 'buttons' | 'preview'>;

export function contentOf(payload: Record<string, unknown>): Content | (Answer & { readonly code: number }) {
  const given = String(payload['text'] ?? '');
  const parsed = payload['parse_mode'] === 'HTML' ? parseHtml(given) : { text: given, links: [] };
  if (typeof parsed === 'string') return { code: 400, description: parsed };
  if (parsed.text.trim() === '') return bad('message text is empty');
  if (parsed.text.length > 4_096) return bad('message is too long');
  const { inline_keyboard: keyboard = [] } = (payload['reply_markup'] ?? {}) as {
    inline_keyboard?: StandInMessage['keyboard'];
  };
  const problem = keyboardProblem(keyboard);
  if (problem !== null) return bad(problem);
  const { text, links } = parsed;
  return { text, links, keyboard, buttons: keyboard.flat(), preview: previewOf(payload, links) };
}

/** What Telegram finds wrong with the buttons of a message (core.telegram.org/bots/api#inlinekeyboardbutton). */
function keyboardProblem(keyboard: StandInMessage['keyboard']): string | null {
  const problems = keyboard.flat().map(({ text, url, callback_data: data, copy_text: copy }) => {
    if (text === '') return 'BUTTON_TEXT_EMPTY';
    if ([url, data, copy].filter((action) => action !== undefined).length !== 1) return 'BUTTON_TYPE_INVALID';
    if (data !== undefined && !/^.{1,64}$/s.test(Buffer.from(data).toString('latin1')))
      return 'BUTTON_DATA_INVALID';
    if (copy !== undefined && !/^.{1,256}$/su.test(copy.text)) return 'BUTTON_COPY_TEXT_INVALID';
    return /localhost|127\.0\.0\.1/.test(url ?? '')
      ? `inline keyboard button URL '${url}' is invalid: Wrong HTTP URL`
      : null;
  });
  return problems.find((problem) => problem !== null) ?? null;
}

/** "If empty, then the first URL found in the message text will be used." */
function previewOf(payload: Record<string, unknown>, [first]: Content['links']): LinkPreview | null {
  const { is_disabled: isOff, ...options } = (payload['link_preview_options'] ??
    {}) as Partial<LinkPreview> & {
    readonly is_disabled?: boolean;
  };
  const url = options.url ?? first?.url;
  return isOff === true || url === undefined ? null : { ...options, url };
}

/**
 * The bot in the community chat, as getChatMember answers it (core.telegram.org/bots/api#chatmemberadministrator). Rights that
 * are not named are missing.
 */
export interface BotMembership {
  readonly status: 'administrator' | 'creator' | 'member' | 'restricted' | 'left' | 'kicked';
  readonly can_post_messages?: boolean;
  readonly can_delete_messages?: boolean;
  readonly can_invite_users?: boolean;
}

export interface StandInChat {
  readonly type?: 'channel' | 'supergroup' | 'group';
  readonly username?: string;
  readonly invite_link?: string;
  readonly linked_chat_id?: number;
}

/** What the chats, and the bot in them, are to Telegram. */
export interface TelegramChats {
  /** What getChatMember says of a person; left without it. */
  readonly members: ReadonlyMap<number, { readonly status: string; readonly is_member?: boolean } | 'error'>;
  readonly chat: StandInChat;
  readonly bot: BotMembership;
  /** Whether the privacy mode of the bot is off (core.telegram.org/bots/features#privacy-mode). */
  readonly readsGroups: boolean;
  /** Chats that the bot does not know: no such channel, or a person who never wrote to it. */
  readonly unknownChats: ReadonlySet<string>;
  /** What people read before they press Start. */
  readonly described: { long: string; short: string };
}

export interface WebhookDelivery {
  readonly pending_update_count: number;
  readonly last_error_date?: number;
  readonly last_error_message?: string;
}
