import type { BotSetup } from '../../bots/shared/bot-setup.ts';
import type { ChatBot, Community } from '../../bots/shared/chat-bot.ts';
import type { AdminConsole, Conversation } from '../../bots/shared/conversation.ts';
import type { LeakGuard } from '../../bots/shared/create-leak-guard.ts';
import type { Screen } from '../../bots/shared/screen.ts';
import type { Config } from '../config.ts';
import type { Logger } from '../core/base/logger.ts';
import type { BotName } from '../core/chat/chat-message.ts';
import type { Messenger } from '../core/chat/messenger.ts';
import type { AppContext } from './app-context.ts';

export interface PlatformDriver {
  open(context: AppContext): OpenedPlatform;
  openSetups(config: Config, logger: Logger): readonly OpenedSetup[];
  openSender(context: Pick<AppContext, 'config' | 'clock' | 'logger'>, token: string): OperatorSender;
}

interface BotHandlers {
  readonly conversation: Conversation;
  readonly console: AdminConsole;
  readonly leakGuard: LeakGuard;
}

/** The conversation needs to know the community of a platform before the bots can be made. */
export interface OpenedPlatform {
  readonly community: Community | null;
  /** The bots, not started. That for people has the platform's name; another one is the operator's. */
  open(handlers: BotHandlers): Readonly<Partial<Record<BotName, ChatBot>>>;
}

export interface OpenedSetup {
  readonly setting: string;
  readonly setup: BotSetup;
  close(): void;
}

export interface OperatorSender {
  readonly messenger: Pick<Messenger<Screen>, 'send'>;
  close(): void;
}
