import { type Answer, bad } from './telegram-wire.ts';

/** deleteMessage: "A message can only be deleted if it was sent less than 48 hours ago." */
const DELETABLE_MS = 48 * 3_600_000;
/** Not published: people measured about 15 seconds. */
const QUERY_MS = 15_000;
const COMMANDS_MOST = 100;

type Payload = Readonly<Record<string, unknown>>;
interface Seen {
  readonly at: number;
  readonly isOwn: boolean;
  readonly isProtected: boolean;
}

/**
 * What Telegram knows of people and messages, and what it refuses because of it (core.telegram.org/bots/api). The words of
 * refusals are those of its Bot API server.
 */
export class TelegramHistory {
  readonly #now: () => number;
  readonly #people = new Set<string>();
  readonly #messages = new Map<string, Seen>();
  readonly #queries = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The person has written to the bot or pressed Start: before, a bot cannot write to them (bots/faq). */
  meet(...people: readonly (number | string)[]): void {
    for (const person of people) this.#people.add(String(person));
  }

  /** An update was made: its author has met the bot, its message exists, its query can be answered. */
  record(update: object): void {
    for (const [kind, event] of Object.entries(update)) {
      if (kind === 'callback_query') {
        this.#queries.set(String(event.id), this.#now());
        this.meet(event.from.id);
      } else if (typeof event === 'object' && event !== null && 'message_id' in event) {
        const seen = { at: this.#now(), isOwn: false, isProtected: false };
        if (event.chat.id > 0) this.meet(event.chat.id);
        this.#messages.set(`${event.chat.id}:${event.message_id}`, seen);
      }
    }
  }

  /** The bot sent a message. */
  sent(chat: unknown, message: number, isProtected: boolean): void {
    this.#messages.set(`${chat}:${message}`, { at: this.#now(), isOwn: true, isProtected });
  }

  /** The answer that the history alone decides; null when there is none. */
  answerTo(method: string, payload: Payload): Answer | null {
    return this.#unknownPerson(method, payload) ?? this.#byMethod[method]?.(payload) ?? null;
  }

  readonly #byMethod: Readonly<Record<string, (payload: Payload) => Answer | null>> = {
    answerCallbackQuery: (payload) => this.#answerQuery(payload),
    editMessageText: ({ chat_id: chat, message_id: message }) =>
      this.#messages.get(`${chat}:${message}`)?.isOwn === false ? bad("message can't be edited") : null,
    deleteMessage: (payload) => this.#delete(payload),
    forwardMessage: (payload) => this.#copy(payload, 'forwarded'),
    copyMessage: (payload) => this.#copy(payload, 'copied'),
    setMyCommands: menuProblem,
    sendPhoto: ({ caption }) =>
      String(caption ?? '').length > 1_024 ? bad('message caption is too long') : null,
  };

  #unknownPerson(method: string, payload: Payload): Answer | null {
    const { chat_id: chat = (payload['scope'] as Payload | undefined)?.['chat_id'] } = payload;
    const isPerson = /^\d+$/.test(String(chat));
    return isPerson && method !== 'getChatMember' && !this.#people.has(String(chat))
      ? bad('chat not found')
      : null;
  }

  #answerQuery({ callback_query_id: id, text }: Payload): Answer | null {
    const at = this.#queries.get(String(id));
    if (at === undefined || this.#now() - at > QUERY_MS)
      return bad('query is too old and response timeout expired or query ID is invalid');
    // "Text of the notification ... 0-200 characters".
    return String(text ?? '').length > 200 ? bad('MESSAGE_TOO_LONG') : null;
  }

  #delete({ chat_id: chat, message_id: id }: Payload): Answer | null {
    const message = this.#messages.get(`${chat}:${id}`);
    if (message === undefined) return null;
    if (this.#now() - message.at > DELETABLE_MS) return bad("message can't be deleted for everyone");
    this.#messages.delete(`${chat}:${id}`);
    return message.isOwn ? null : { result: true };
  }

  /** protect_content: "Protects the contents of the sent message from forwarding and saving". */
  #copy({ from_chat_id: chat, message_id: id }: Payload, how: string): Answer {
    const message = this.#messages.get(`${chat}:${id}`);
    if (message === undefined) return bad(`message to ${how === 'copied' ? 'copy' : 'forward'} not found`);
    return message.isProtected ? bad(`message can't be ${how}`) : { result: { message_id: 1 } };
  }
}

/** BotCommand: "1-32 characters. Can contain only lowercase English letters, digits and underscores"; "1-256 characters". */
function menuProblem({ commands }: Payload): Answer | null {
  const given = commands as readonly { readonly command: string; readonly description: string }[];
  // "At most 100 commands can be specified."
  if (given.length > COMMANDS_MOST) return bad('BOT_COMMANDS_TOO_MUCH');
  if (given.some(({ command }) => !/^[a-z0-9_]{1,32}$/.test(command))) return bad('BOT_COMMAND_INVALID');
  if (given.some(({ description }) => description.length < 1 || description.length > 256))
    return bad('BOT_COMMAND_DESCRIPTION_INVALID');
  return null;
}
