import { Composer, type Context } from 'grammy';
import type { Message } from 'grammy/types';
import type { Logger } from '../../src/core/logger.ts';
import type { LeakGuard } from '../shared/leak-guard.ts';
import type { TelegramChannel } from './channel.ts';
import { logged } from './errors.ts';
import type { TelegramLink } from './link.ts';
import { commandOf } from './move-handler.ts';
import type { Pacer } from './pacer.ts';

export interface GroupDeps {
  /** Commands that are answered with the way to the private chat. */
  readonly commands: ReadonlySet<string>;
  readonly channel: TelegramChannel | null;
  readonly leakGuard: LeakGuard | null;
  readonly link: Pick<TelegramLink, 'api'>;
  readonly pacer: Pick<Pacer, 'tryAcquire'>;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/** Groups and channels: keys are removed, and commands are led to the private chat. */
export function createGroupHandler(deps: GroupDeps): Composer<Context> {
  const { channel, logger } = deps;
  const composer = new Composer<Context>();
  const places = composer.filter((ctx) => ctx.chat !== undefined && ctx.chat.type !== 'private');

  places.on('message:migrate_to_chat_id', (ctx) => {
    if (channel?.is(ctx.chat) === true) channel.move(ctx.msg.migrate_to_chat_id);
  });
  places.on(['message', 'edited_message', 'channel_post', 'edited_channel_post'], async (ctx) => {
    if (await holdsKey(deps, ctx.msg)) {
      await ctx.deleteMessage().catch((error: unknown) => {
        logger.warn(logged(error), 'a message with a key could not be removed from the Telegram channel');
      });
      return;
    }
    if (ctx.editedMessage === undefined && ctx.editedChannelPost === undefined) await leadAway(deps, ctx);
  });
  return composer;
}

async function holdsKey({ channel, leakGuard }: GroupDeps, message: Message): Promise<boolean> {
  if (leakGuard === null || channel?.is(message.chat) !== true) return false;
  const entities = [...(message.entities ?? []), ...(message.caption_entities ?? [])];
  const links = entities.flatMap((entity) => (entity.type === 'text_link' ? [entity.url] : []));
  const text = [message.text, message.caption, ...links].filter((part) => part !== undefined).join('\n');
  return leakGuard.inspect(text, 'the Telegram channel');
}

/**
 * One short answer, unless the group has had enough of them. It neither waits nor tries again: a group that floods must
 * not keep people in private chats waiting.
 */
async function leadAway({ commands, link, pacer }: GroupDeps, ctx: Context): Promise<void> {
  const command = commandOf(ctx.msg?.text ?? '');
  const { chat, msg } = ctx;
  if (command === null || chat === undefined || msg === undefined || !commands.has(command.name)) return;
  if (command.bot !== '' && command.bot.toLowerCase() !== ctx.me.username.toLowerCase()) return;
  if (!pacer.tryAcquire(String(chat.id))) return;
  await link.api.sendMessage(chat.id, 'I only talk about keys in a private chat.', {
    reply_parameters: { message_id: msg.message_id, allow_sending_without_reply: true },
    reply_markup: {
      inline_keyboard: [
        [{ text: 'Open the private chat', url: `https://t.me/${ctx.me.username}?start=key` }],
      ],
    },
  });
}
