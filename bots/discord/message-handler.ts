import type { Message, PartialMessage } from 'discord.js';
import { LRUCache } from 'lru-cache';
import type { Messenger } from '../../src/core/chat/messenger.ts';
import type { Logger } from '../../src/core/logger.ts';
import type { LeakGuard } from '../shared/leak-guard.ts';
import type { Screen } from '../shared/screen.ts';
import { describeFailure } from './failures.ts';
import type { MoveHandler } from './move-handler.ts';
import { visitorOf } from './parse-interaction.ts';

const REMEMBERED = 5_000;
const PLACE = 'the Discord server';

export interface MessageHandlerDeps {
  readonly moveHandler: MoveHandler;
  readonly leakGuard: LeakGuard;
  readonly messenger: Messenger<Screen>;
  readonly logger: Logger;
  /** Ends what is being sent. */
  readonly signal: AbortSignal;
}

/** What people write: in the server keys are looked for, and a private message gets the conversation's answer. Never throws. */
export function createMessageHandler(deps: MessageHandlerDeps) {
  const { moveHandler, leakGuard, messenger, logger, signal } = deps;
  const answered = new LRUCache<string, true>({ max: REMEMBERED });

  async function guard({ content, channelId, id }: Message | PartialMessage): Promise<void> {
    if (!content || !(await leakGuard.inspect(content, PLACE))) return;
    const result = await messenger.remove(`${channelId}:${id}`, signal);
    if (result.ok) logger.info({ message: id }, 'a message with a key was deleted from the Discord server');
    else
      logger.error(
        { message: id, reason: result.detail },
        'a message with a key could not be deleted: the bot needs the permission Manage Messages',
      );
  }

  async function answer({ author, content, id }: Message): Promise<void> {
    if (answered.get(id) !== undefined) return;
    answered.set(id, true);
    const visitor = visitorOf(author);
    const actor = { platform: visitor.platform, userId: visitor.userId, name: visitor.name, roleIds: [] };
    const said = { visitor, actor, for: 'either', move: { kind: 'text', text: content } } as const;
    await moveHandler.answer(said, async (screen) => {
      // Keys are shown where they go away by themselves: in answers to buttons and commands.
      if (screen.secret !== null) throw new Error('a text was answered with a key');
      const result = await messenger.send({ chat: visitor.chat }, screen, signal);
      if (!result.ok) throw new Error(result.detail);
    });
  }

  async function quietly(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      logger.warn({ reason: describeFailure(error) }, 'a message on Discord was not handled');
    }
  }

  return {
    async created(message: Message): Promise<void> {
      if (message.inGuild()) return quietly(guard(message));
      if (!message.author.bot && message.content !== '') await quietly(answer(message));
    },
    async updated(message: Message | PartialMessage): Promise<void> {
      if (message.inGuild()) await quietly(guard(message));
    },
  };
}
