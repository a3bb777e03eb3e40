import type { AdminConsole } from '../../bots/shared/admin-console.ts';
import type { BotSetup } from '../../bots/shared/bot-setup.ts';
import type { ChatBot } from '../../bots/shared/chat-bot.ts';
import type { Community } from '../../bots/shared/community.ts';
import type { Conversation } from '../../bots/shared/conversation.ts';
import type { LeakGuard } from '../../bots/shared/create-leak-guard.ts';
import type { Screen } from '../../bots/shared/screen.ts';
import type { BotName } from '../core/chat/chat-message.ts';
import type { Messenger } from '../core/chat/messenger.ts';

/** What the bots of a platform answer with. */
export interface BotHandlers {
  readonly conversation: Conversation;
  readonly console: AdminConsole;
  readonly leakGuard: LeakGuard;
}

/** The bots of a platform, not started. That for people has the platform's name; another one is the operator's. */
export type OpenedBots = Readonly<Partial<Record<BotName, ChatBot>>>;

/** Sends to operators while the bots are off. */
export interface OperatorSender {
  readonly messenger: Pick<Messenger<Screen>, 'send'>;
  close(): void;
}

/** A chat platform whose token is set. The conversation needs to know its community before the bots can be made. */
export interface OpenedPlatform {
  readonly community: Community | null;
  open(handlers: BotHandlers): OpenedBots;
}

/** The setup of one bot, with a connection of its own to the platform. */
export interface OpenedSetup {
  /** The setting of the token. */
  readonly setting: 'TELEGRAM_BOT_TOKEN' | 'TELEGRAM_ADMIN_BOT_TOKEN' | 'DISCORD_TOKEN';
  readonly setup: BotSetup;
  close(): void;
}
