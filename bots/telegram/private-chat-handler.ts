import { type Api, Composer, type Context } from 'grammy';
import type { Logger } from '../../src/core/logger.ts';
import type { AdminConsole } from '../shared/admin-console.ts';
import type { Conversation, Move } from '../shared/conversation.ts';
import type { ExpiringMessages } from '../shared/expiring-messages.ts';
import type { Screen } from '../shared/screen.ts';
import { isNotThere, isUnchanged, logged } from './failures.ts';
import { type Keys, showsSecret, toParts } from './render.ts';
import { deliver } from './telegram-messenger.ts';

interface PrivateChatOptions {
  readonly conversation: Pick<Conversation, 'move' | 'shown'>;
  readonly console: Pick<AdminConsole, 'move'> | null;
  readonly expiring: ExpiringMessages;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Private chats: passes each move to the console, then to the conversation, and shows the answer. */
export function createPrivateChatHandler(options: PrivateChatOptions): Composer<Context> {
  const { conversation, console, expiring, logger } = options;
  const composer = new Composer<Context>();
  const chats = composer.filter((ctx) => ctx.chat?.type === 'private');

  async function act(ctx: Context, move: Move, tapped: Tapped | null): Promise<void> {
    const { chat, from } = ctx;
    if (chat === undefined || from === undefined || from.is_bot) return;
    const person = { platform: 'telegram', userId: String(from.id), name: from.username ?? null } as const;
    const presentation = { api: ctx.api, chat: chat.id, expiring, logger };
    const answer = console === null ? null : await console.move({ ...person, roleIds: [] }, move);
    if (answer !== null) return present(presentation, answer, tapped);
    const screen = await conversation.move({ ...person, chat: String(chat.id) }, move);
    await present(presentation, screen, tapped);
    if (screen.secret !== null) await conversation.shown(screen);
  }

  chats.on('message:text', (ctx) => {
    // A forwarded line has another author: it must not run as a command of the person who forwards it.
    const { text, forward_origin: origin } = ctx.msg;
    return act(ctx, origin === undefined ? toMove(text) : { kind: 'text', text }, null);
  });
  chats.on('callback_query:data', async (ctx) => {
    const { message, data } = ctx.callbackQuery;
    const tapped =
      message === undefined ? null : { message: message.message_id, isSecret: showsSecret(message) };
    await act(ctx, { kind: 'tap', action: data }, tapped);
  });
  return composer;
}

function toMove(text: string): Move {
  const command = commandOf(text);
  if (command === null) return { kind: 'text', text };
  return { kind: 'command', name: command.name, argument: command.argument };
}

/** `/name@bot argument`; null for other texts. `bot` is empty when none is named. */
export function commandOf(
  text: string,
): { readonly name: string; readonly bot: string; readonly argument: string } | null {
  const [, name, bot = '', argument = ''] =
    /^\/(\w{1,32})(?:@(\w+))?(?:\s+([\s\S]*))?$/.exec(text.trim()) ?? [];
  return name === undefined ? null : { name: name.toLowerCase(), bot, argument: argument.trim() };
}

/** The message whose button was tapped. */
interface Tapped {
  readonly message: number;
  /** Whether it shows a secret: such a message is removed, never edited. */
  readonly isSecret: boolean;
}

/** Where a screen is shown. */
interface Presentation {
  readonly api: Api;
  readonly chat: number;
  readonly expiring: ExpiringMessages;
  readonly logger: Pick<Logger, 'warn'>;
}

const NO_KEYS: Keys = { buttons: [], secret: null };

/** Shows a screen: in the tapped message where that is possible, else in a new one. */
async function present(to: Presentation, given: Screen, tapped: Tapped | null): Promise<void> {
  const { repeated } = given;
  const isShown = repeated !== null && to.expiring.messageOf(repeated.request) !== null;
  const screen = isShown ? repeated.whileShown : given;
  if (tapped?.isSecret === true) {
    to.expiring.forget(idOf(to, tapped.message));
    await remove(to, tapped.message);
  } else if (tapped !== null && (await wasEdited(to, screen, tapped.message))) return;
  await sendNew(to, screen);
}

async function wasEdited({ api, chat }: Presentation, screen: Screen, message: number): Promise<boolean> {
  const [part, ...more] = toParts(screen.body);
  if (screen.secret !== null || part === undefined || more.length > 0) return false;
  try {
    await deliver(part, screen, (form) => api.editMessageText(chat, message, form.text, form));
    return true;
  } catch (error) {
    if (isUnchanged(error)) return true;
    if (isNotThere(error)) return false;
    throw error;
  }
}

async function sendNew(to: Presentation, screen: Screen): Promise<void> {
  const { api, chat, expiring } = to;
  const parts = toParts(screen.body);
  for (const [index, part] of parts.entries()) {
    const keys = index === parts.length - 1 ? screen : NO_KEYS;
    const { message_id: message } = await deliver(part, keys, (form) =>
      api.sendMessage(chat, form.text, form),
    );
    if (screen.secret === null) continue;
    const { request } = screen.secret;
    expiring.keep(idOf(to, message), { request, remove: () => remove(to, message) });
  }
}

function idOf({ chat }: Presentation, message: number): string {
  return `${chat}:${message}`;
}

async function remove({ api, chat, logger }: Presentation, message: number): Promise<boolean> {
  try {
    await api.deleteMessage(chat, message);
    return true;
  } catch (error) {
    if (isNotThere(error)) return true;
    logger.warn({ chat, message, ...logged(error) }, 'removal of a message with a key failed');
    return false;
  }
}
