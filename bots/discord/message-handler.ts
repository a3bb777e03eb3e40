import type { Attachment, Embed, Message, MessageSnapshot, PartialMessage } from 'discord.js';
import type { Logger } from '../../src/core/base/logger.ts';
import type { Messenger } from '../../src/core/chat/messenger.ts';
import { commandInText, type Move } from '../shared/conversation.ts';
import type { LeakGuard } from '../shared/create-leak-guard.ts';
import type { ContentNotice } from '../shared/inbox.ts';
import type { MoveHandler } from '../shared/move-handler.ts';
import { type Screen, withRemoval } from '../shared/screen.ts';
import { discordFields, isUnknownMessage } from './failures.ts';
import { visitorOf } from './interaction-handler.ts';

interface MessageHandlerOptions {
  readonly moveHandler: MoveHandler;
  readonly leakGuard: LeakGuard;
  readonly messenger: Messenger<Screen>;
  readonly notice: ContentNotice;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

export class MessageHandler {
  readonly #options: MessageHandlerOptions;

  constructor(options: MessageHandlerOptions) {
    this.#options = options;
  }

  /** `isNew`: false for an edit, which is not answered. Never throws. */
  async handle(message: Message | PartialMessage, isNew: boolean): Promise<void> {
    try {
      if (message.inGuild()) await this.#removeKeys(message);
      else if (isNew && message.author?.bot === false) await this.#answer(message as Message);
    } catch (error) {
      this.#options.logger.warn(discordFields(error), 'Discord message failed; not answered');
    }
  }

  async #removeKeys(message: Message | PartialMessage): Promise<void> {
    const { leakGuard, messenger, logger, signal } = this.#options;
    const { channelId, id } = message;
    const remove = async () => {
      const result = await messenger.remove(`${channelId}:${id}`, signal);
      const isGone = result.ok || isUnknownMessage(result);
      if (isGone) logger.info({ message: id }, 'message with a key deleted from the Discord server');
      else
        logger.error(
          { message: id, reason: result.detail },
          'deletion of a message with a key failed: the bot needs the permission Manage Messages; delete the message',
        );
      return isGone;
    };
    await leakGuard.inspect({ text: textsOf(message), place: 'the Discord server', remove });
  }

  async #answer({ author, content, system }: Message): Promise<void> {
    const { moveHandler, messenger, notice, signal } = this.#options;
    const isContent = content === '';
    // Messages of the system report events, such as a pinned message.
    if (isContent && (system || !notice.isDue(author.id))) return;
    const visitor = visitorOf(author);
    const move = isContent ? ({ kind: 'content' } as const) : typedMove(content);
    await moveHandler.answer({ visitor, roleIds: [], for: 'either', move }, async (given) => {
      // In a private chat a bot can delete its own messages alone.
      const screen = given.removesMessage ? withRemoval(given, false) : given;
      // Only answers to buttons and commands can be removed later, so that only these show keys.
      if (screen.secret !== null) throw new Error('a text was answered with a key');
      const result = await messenger.send({ chat: visitor.chat }, screen, signal);
      if (!result.ok) throw new Error(result.detail);
    });
  }
}

/** Discord sends a command that is not registered as text. */
function typedMove(text: string): Move {
  const command = commandInText(text);
  return command === null
    ? { kind: 'text', text }
    : { kind: 'command', name: command.name, argument: command.argument };
}

/** Every text of a message: words, polls, names of files, embeds, and those of forwarded messages. */
function textsOf(message: Message | PartialMessage): string {
  const { poll } = message;
  const forwarded = [...message.messageSnapshots.values()].flatMap(ownTexts);
  const inPoll = poll === null ? [] : [poll.question.text, ...poll.answers.map(({ text }) => text)];
  return [...ownTexts(message), ...forwarded, ...inPoll]
    .filter((part) => typeof part === 'string')
    .join('\n');
}

function ownTexts({ content, attachments, embeds }: Message | PartialMessage | MessageSnapshot) {
  const files = [...attachments.values()].flatMap(({ name, title, description }: Attachment) => [
    name,
    title,
    description,
  ]);
  return [content, ...files, ...embeds.flatMap(embedTexts)];
}

function embedTexts({ title, description, url, fields, footer, author }: Embed) {
  const lines = fields.flatMap(({ name, value }) => [name, value]);
  return [title, description, url, footer?.text, author?.name, author?.url, ...lines];
}
