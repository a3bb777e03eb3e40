import type { AdminConsole } from '../../bots/shared/admin-console.ts';
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

/** The bots of a platform by name, not started, and what sends there. */
export interface OpenedBots {
  readonly bots: Readonly<Partial<Record<BotName, ChatBot>>>;
  /** Null when none of them is for people. */
  readonly messenger: Messenger<Screen> | null;
  /** Null when the operator has no bot of their own there. */
  readonly operatorMessenger: Messenger<Screen> | null;
}

/** A chat platform whose token is set. The conversation needs to know its community before the bots can be made. */
export interface OpenedPlatform {
  readonly community: Community | null;
  open(handlers: BotHandlers): OpenedBots;
}
