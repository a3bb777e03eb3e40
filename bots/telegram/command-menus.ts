import type { Api, Context, Middleware } from 'grammy';
import type { BotCommand } from 'grammy/types';
import type { Logger } from '../../src/core/base/logger.ts';
import { BOT_DESCRIPTION, descriptionToSet, SHORT_BOT_DESCRIPTION } from '../shared/bot-description.ts';
import type { AdminConsole, ChatCommand, Conversation } from '../shared/conversation.ts';
import { telegramFields } from './failures.ts';

interface CommandMenusOptions {
  readonly api: Api;
  readonly conversation: Pick<Conversation, 'commands'>;
  readonly console: Pick<AdminConsole, 'commands'> | null;
  readonly adminIds: readonly string[];
  readonly logger: Pick<Logger, 'warn'>;
}

/** Sets what people read before they press Start, where it has changed. */
export async function describeBot(api: Api, logger: Pick<Logger, 'warn'>): Promise<void> {
  try {
    const { description } = await api.getMyDescription();
    const long = descriptionToSet(description, BOT_DESCRIPTION);
    if (long !== null) await api.setMyDescription(long);
    const { short_description: line } = await api.getMyShortDescription();
    const short = descriptionToSet(line, SHORT_BOT_DESCRIPTION);
    if (short !== null) await api.setMyShortDescription(short);
  } catch (error) {
    logger.warn(telegramFields(error), 'description of the Telegram bot not set');
  }
}

/** The menus for `/`. An operator's chat that does not exist yet gets its menu when they write. */
export class CommandMenus {
  readonly #options: CommandMenusOptions;
  readonly #forAll: readonly BotCommand[];
  readonly #forOperators: readonly BotCommand[];
  readonly #unset = new Set<string>();

  constructor(options: CommandMenusOptions) {
    this.#options = options;
    const { conversation, console } = options;
    const names = new Set(conversation.commands.map(({ name }) => name));
    // A command of the conversation hides one of the console with the same name.
    const more = (console?.commands ?? []).filter(({ name }) => !names.has(name));
    this.#forAll = conversation.commands.map(toMenuEntry);
    this.#forOperators = [...this.#forAll, ...more.map(toMenuEntry)];
  }

  async set(): Promise<void> {
    const { api, console, adminIds, logger } = this.#options;
    await api
      .setMyCommands(this.#forAll, { scope: { type: 'all_private_chats' } })
      .catch((error: unknown) => {
        logger.warn(telegramFields(error), 'Telegram menu of commands not set');
      });
    if (console === null) return;
    for (const id of adminIds) await this.#setOf(id);
  }

  /** Sets the menu of an operator who writes and has none. The update does not wait for it. */
  readonly middleware: Middleware<Context> = (ctx, next) => {
    const id = String(ctx.from?.id ?? '');
    if (ctx.chat?.type === 'private' && this.#unset.delete(id)) void this.#setOf(id);
    return next();
  };

  async #setOf(id: string): Promise<void> {
    const { api, logger } = this.#options;
    try {
      await api.setMyCommands(this.#forOperators, { scope: { type: 'chat', chat_id: Number(id) } });
    } catch (error) {
      this.#unset.add(id);
      const message = 'Telegram menu of commands not set for an operator; retrying when this operator writes';
      logger.warn({ operator: id, ...telegramFields(error) }, message);
    }
  }
}

function toMenuEntry({ name, description }: ChatCommand): BotCommand {
  return { command: name, description };
}
