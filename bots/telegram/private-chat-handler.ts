import { type Api, Composer, type Context } from 'grammy';
import type { Logger } from '../../src/core/logger.ts';
import type { AdminConsole } from '../shared/admin-console.ts';
import type { Conversation, Move } from '../shared/conversation.ts';
import type { ExpiringMessages } from '../shared/expiring-messages.ts';
import { logged } from './failures.ts';
import { present, type Tapped } from './present.ts';
import { showsSecret } from './render.ts';

export interface PrivateChatOptions {
  /** Makes one attempt of each call. */
  readonly api: Pick<Api, 'answerCallbackQuery'>;
  readonly conversation: Pick<Conversation, 'move' | 'shown'>;
  readonly console: Pick<AdminConsole, 'move'> | null;
  readonly expiring: ExpiringMessages;
  readonly logger: Pick<Logger, 'debug' | 'warn'>;
}

/** Private chats: passes each move to the console, then to the conversation, and shows the answer. */
export function createPrivateChatHandler(options: PrivateChatOptions): Composer<Context> {
  const { api, conversation, console, expiring, logger } = options;
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
    // Ends the spinner of the tap. One attempt: the query may be too old, or answered before.
    const acknowledged = api.answerCallbackQuery(ctx.callbackQuery.id).catch((error: unknown) => {
      logger.debug(logged(error), 'acknowledgement of a tap failed');
    });
    const { message, data } = ctx.callbackQuery;
    const tapped =
      message === undefined ? null : { message: message.message_id, isSecret: showsSecret(message) };
    await act(ctx, { kind: 'tap', action: data }, tapped);
    await acknowledged;
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
