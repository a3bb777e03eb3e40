import { Composer, type Context } from 'grammy';
import type { Logger } from '../../src/core/logger.ts';
import type { Actor, AdminConsole } from '../shared/admin-console.ts';
import type { Conversation, Move } from '../shared/conversation.ts';
import type { Screen } from '../shared/screen.ts';
import { logged } from './errors.ts';
import type { ExpiringMessages } from './expiring-messages.ts';
import { present, type Tapped } from './present.ts';
import { showsSecret } from './render.ts';

export interface MoveHandlerDeps {
  readonly conversation: Pick<Conversation, 'move' | 'shown'>;
  readonly console: Pick<AdminConsole, 'move'> | null;
  readonly expiring: ExpiringMessages;
  /** Ends the spinner of a tap; tried once, as the screen says enough. */
  readonly acknowledge: (query: string) => Promise<unknown>;
  readonly logger: Pick<Logger, 'debug'>;
}

interface Person {
  readonly id: number;
  readonly username?: string;
}

/** Private chats: what a person does goes to the console, then to the conversation, and what they say is shown. */
export function createMoveHandler(deps: MoveHandlerDeps): Composer<Context> {
  const { expiring, acknowledge, logger } = deps;
  const composer = new Composer<Context>();
  const chats = composer.filter((ctx) => ctx.chat?.type === 'private');

  async function act(ctx: Context, move: Move, tapped: Tapped | null): Promise<void> {
    const { chat, from } = ctx;
    if (chat === undefined || from === undefined || from.is_bot) return;
    const { screen, isConversation } = await nextScreen(deps, from, String(chat.id), move);
    await present({ api: ctx.api, chat: chat.id, expiring }, screen, tapped);
    if (screen.secret !== null && isConversation) await deps.conversation.shown(screen);
  }

  chats.on('message:text', (ctx) => {
    // A forwarded line was written by somebody else: it must not act in the name of whoever passes it on.
    const { text, forward_origin: origin } = ctx.msg;
    return act(ctx, origin === undefined ? toMove(text) : { kind: 'text', text }, null);
  });
  chats.on('callback_query:data', async (ctx) => {
    const answered = acknowledge(ctx.callbackQuery.id).catch((error: unknown) => {
      // Too old, or answered before the update came again.
      logger.debug(logged(error), 'a tap was not acknowledged');
    });
    const { message, data } = ctx.callbackQuery;
    const tapped =
      message === undefined ? null : { message: message.message_id, isSecret: showsSecret(message) };
    await act(ctx, { kind: 'tap', action: data }, tapped);
    await answered;
  });
  return composer;
}

async function nextScreen(
  { conversation, console }: MoveHandlerDeps,
  from: Person,
  chat: string,
  move: Move,
): Promise<{ readonly screen: Screen; readonly isConversation: boolean }> {
  const person = { platform: 'telegram', userId: String(from.id), name: from.username ?? null } as const;
  const actor: Actor = { ...person, roleIds: [] };
  const screen = console === null ? null : await console.move(actor, move);
  if (screen !== null) return { screen, isConversation: false };
  return { screen: await conversation.move({ ...person, chat }, move), isConversation: true };
}

function toMove(text: string): Move {
  const command = commandOf(text);
  if (command === null) return { kind: 'text', text };
  return { kind: 'command', name: command.name, argument: command.argument };
}

/** `/name@bot argument`; null for any other text. `bot` is empty when it names none. */
export function commandOf(
  text: string,
): { readonly name: string; readonly bot: string; readonly argument: string } | null {
  const [, name, bot = '', argument = ''] =
    /^\/(\w{1,32})(?:@(\w+))?(?:\s+([\s\S]*))?$/.exec(text.trim()) ?? [];
  return name === undefined ? null : { name: name.toLowerCase(), bot, argument: argument.trim() };
}
