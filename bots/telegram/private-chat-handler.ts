import { type Api, Composer, type Context, type FilterQuery } from 'grammy';
import type { MaybeInaccessibleMessage } from 'grammy/types';
import type { Logger } from '../../src/core/base/logger.ts';
import type { Clock } from '../../src/core/base/time/clock.ts';
import { type AdminConsole, type Conversation, commandInText, type Move } from '../shared/conversation.ts';
import { ContentNotice } from '../shared/inbox.ts';
import { MoveHandler } from '../shared/move-handler.ts';
import { type Screen, withRemoval } from '../shared/screen.ts';
import { deleteMessage, isNotThere, telegramFields } from './failures.ts';
import type { KeyMessages } from './key-messages.ts';
import { deliver, hasFollowButtons, type Keys, showsSecret, toParts } from './render.ts';

interface PrivateChatOptions {
  readonly conversation: Conversation;
  readonly console: AdminConsole | null;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Pick<Logger, 'debug' | 'warn'>;
}

export function createPrivateChatHandler(
  { conversation, console, clock, logger }: PrivateChatOptions,
  keyMessages: KeyMessages,
): Composer<Context> {
  const moveHandler = new MoveHandler(conversation, console);
  const notice = new ContentNotice(clock);
  const commands = new Set(conversation.commands.map(({ name }) => name));
  const composer = new Composer<Context>();
  const chats = composer.filter((ctx) => ctx.chat?.type === 'private');
  const onFailure = (error: unknown): void =>
    logger.warn(telegramFields(error), 'deletion of a message with a secret failed; its author was told');

  async function act(ctx: Context, move: Move, tapped: Tapped | null): Promise<void> {
    const { api, chat, from } = ctx;
    if (chat === undefined || from === undefined || from.is_bot) return;
    // Where both have a command, as /help, that of the conversation counts: /admin reaches the other.
    const isForAll = move.kind === 'command' && commands.has(move.name);
    const received = {
      visitor: {
        platform: 'telegram',
        userId: String(from.id),
        name: from.username ?? null,
        chat: String(chat.id),
      },
      roleIds: [],
      for: isForAll ? 'conversation' : 'either',
      move,
    } as const;
    await moveHandler.answer(received, async (given) => {
      const screen = given.removesMessage ? withRemoval(given, await deleteMessage(ctx, onFailure)) : given;
      await present({ api, chat: chat.id, keyMessages, logger }, screen, tapped);
    });
  }

  chats.on('message:text', (ctx) => {
    // A forwarded line, and one of an inline bot, has another author: it must not run as a command of the person who sends it.
    const { text, forward_origin: origin, via_bot: bot } = ctx.msg;
    const command = origin === undefined && bot === undefined ? commandInText(text) : null;
    const { name = '', argument = '' } = command ?? {};
    return act(ctx, command === null ? { kind: 'text', text } : { kind: 'command', name, argument }, null);
  });
  chats.on(CONTENT, async (ctx) => {
    if (notice.isDue(String(ctx.from?.id))) await act(ctx, { kind: 'content' }, null);
  });
  chats.on('callback_query:data', async (ctx) => {
    const { message, data } = ctx.callbackQuery;
    await act(ctx, { kind: 'tap', action: data }, message === undefined ? null : tappedOn(message));
  });
  return composer;
}

/** Content that people send and the bot cannot read. Other messages report events, such as a pinned message. */
const CONTENT: FilterQuery[] = [
  'message:file',
  'message:contact',
  'message:dice',
  'message:location',
  'message:poll',
  'message:story',
  'message:venue',
];

interface Tapped {
  readonly message: number;
  /** Whether it shows a secret: such a message is removed, never edited. */
  readonly isSecret: boolean;
  /** Its text stays: the answer is a message of its own. */
  readonly isKept: boolean;
}

function tappedOn(message: MaybeInaccessibleMessage): Tapped {
  return { message: message.message_id, isSecret: showsSecret(message), isKept: hasFollowButtons(message) };
}

interface Presentation {
  readonly api: Api;
  readonly chat: number;
  readonly keyMessages: KeyMessages;
  readonly logger: Pick<Logger, 'debug'>;
}

const NO_KEYS: Keys = { buttons: [], secret: null, preview: null };

export const KEY_COMING = 'The key appears here in a moment. If it does not, ask for it again.';

/** Shows a screen: in the tapped message where that is possible, else in a new one. */
async function present(to: Presentation, given: Screen, tapped: Tapped | null): Promise<void> {
  const { repeated } = given;
  const isShown = repeated !== null && (await to.keyMessages.isShown(repeated.request));
  const screen = isShown ? repeated.whileShown : given;
  if (tapped?.isSecret === true) await to.keyMessages.removeNow({ chat: to.chat, message: tapped.message });
  else if (tapped?.isKept === false && (await wasEdited(to, screen, tapped.message))) return;
  await sendNew(to, screen);
  if (screen.secret !== null && tapped?.isSecret === false) await removeButtons(to, tapped.message);
}

/** What was chosen is done: the choice above the key has no buttons any more. The key was shown, so a failure ends nothing. */
async function removeButtons({ api, chat, logger }: Presentation, message: number): Promise<void> {
  await api.editMessageReplyMarkup(chat, message).catch((error: unknown) => {
    logger.debug(telegramFields(error), 'buttons of a choice not removed');
  });
}

async function wasEdited({ api, chat }: Presentation, screen: Screen, message: number): Promise<boolean> {
  const [part, ...more] = toParts(screen.body);
  if (screen.secret !== null || part === undefined || more.length > 0) return false;
  try {
    await deliver(part, screen, (form) => api.editMessageText(chat, message, form.text, form));
    return true;
  } catch (error) {
    if (isNotThere(error)) return false;
    throw error;
  }
}

/**
 * A message with a key says nothing at first, and then shows it. Telegram may send a message although its answer is lost, and
 * the repetition then is a second message, which the bot does not know of; an edit can be repeated. The row that removes the
 * message is written in between, so that no message shows a key without one.
 */
async function sendNew({ api, chat, keyMessages }: Presentation, screen: Screen): Promise<void> {
  const parts = toParts(screen.body);
  for (const [index, part] of parts.entries()) {
    const keys = index === parts.length - 1 ? screen : NO_KEYS;
    if (screen.secret === null) {
      await deliver(part, keys, (form) => api.sendMessage(chat, form.text, form));
      continue;
    }
    const { message_id: message } = await api.sendMessage(chat, KEY_COMING);
    await keyMessages.add({ chat, message }, screen.secret.request);
    await deliver(part, keys, (form) => api.editMessageText(chat, message, form.text, form));
  }
}
