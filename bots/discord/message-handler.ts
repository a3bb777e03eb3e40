import type { Attachment, Embed, Message, MessageSnapshot, PartialMessage } from 'discord.js';
import type { Logger } from '../../src/core/base/logger.ts';
import type { Clock } from '../../src/core/base/time/clock.ts';
import type { Messenger } from '../../src/core/chat/messenger.ts';
import { ContentNotice } from '../shared/content-notice.ts';
import type { Move } from '../shared/conversation.ts';
import type { LeakGuard } from '../shared/create-leak-guard.ts';
import type { Screen } from '../shared/screen.ts';
import { describeFailure, isUnknownMessage } from './failures.ts';
import type { MoveHandler } from './move-handler.ts';
import { visitorOf } from './parse-interaction.ts';

const PLACE = 'the Discord server';

export interface MessageHandlerOptions {
  readonly moveHandler: MoveHandler;
  readonly leakGuard: LeakGuard;
  readonly messenger: Messenger<Screen>;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
  /** Aborts what is being sent. */
  readonly signal: AbortSignal;
}

/** Removes messages with keys from the server, and answers private messages. Never throws. */
export class MessageHandler {
  readonly #options: MessageHandlerOptions;
  readonly #notice: ContentNotice;

  constructor(options: MessageHandlerOptions) {
    this.#options = options;
    this.#notice = new ContentNotice(options.clock);
  }

  async created(message: Message): Promise<void> {
    if (message.inGuild()) return this.#guarded(this.#removeKeys(message));
    if (!message.author.bot) await this.#guarded(this.#answer(message));
  }

  async updated(message: Message | PartialMessage): Promise<void> {
    if (message.inGuild()) await this.#guarded(this.#removeKeys(message));
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
    await leakGuard.inspect({ text: textsOf(message), place: PLACE, remove });
  }

  async #answer({ author, content, system }: Message): Promise<void> {
    const { moveHandler, messenger, signal } = this.#options;
    const isContent = content === '';
    // Messages of the system report events, such as a pinned message.
    if (isContent && (system || !this.#notice.isDue(author.id))) return;
    const visitor = visitorOf(author);
    const actor = { platform: visitor.platform, userId: visitor.userId, name: visitor.name, roleIds: [] };
    const move: Move = isContent ? { kind: 'content' } : { kind: 'text', text: content };
    const received = { visitor, actor, for: 'either', move } as const;
    await moveHandler.answer(received, async (screen) => {
      // Only answers to buttons and commands can be removed later, so that only these show keys.
      if (screen.secret !== null) throw new Error('a text was answered with a key');
      const result = await messenger.send({ chat: visitor.chat }, screen, signal);
      if (!result.ok) throw new Error(result.detail);
    });
  }

  async #guarded(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      this.#options.logger.warn({ reason: describeFailure(error) }, 'Discord message failed; not answered');
    }
  }
}

/**
 * Every text of a message in one string: its words, a poll's question and answers, names and descriptions of files, what
 * its embeds say, and the same of messages that it forwards.
 */
function textsOf(message: Message | PartialMessage): string {
  const forwarded = [...message.messageSnapshots.values()].flatMap(ownTexts);
  const parts = [...ownTexts(message), ...forwarded, ...pollTexts(message.poll)];
  return parts.filter((part) => typeof part === 'string').join('\n');
}

type Part = string | null | undefined;

function ownTexts({ content, attachments, embeds }: Message | PartialMessage | MessageSnapshot): Part[] {
  return [content, ...[...attachments.values()].flatMap(fileTexts), ...embeds.flatMap(embedTexts)];
}

function fileTexts({ name, title, description }: Attachment): Part[] {
  return [name, title, description];
}

function embedTexts({ title, description, url, fields, footer, author }: Embed): Part[] {
  const lines = fields.flatMap(({ name, value }) => [name, value]);
  return [title, description, url, footer?.text, author?.name, author?.url, ...lines];
}

function pollTexts(poll: Message['poll']): Part[] {
  return poll === null ? [] : [poll.question.text, ...poll.answers.map(({ text }) => text)];
}
