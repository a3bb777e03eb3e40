import type { AdminConsole } from '../../bots/shared/admin-console.ts';
import type { ChatBot } from '../../bots/shared/chat-bot.ts';
import type { Community } from '../../bots/shared/community.ts';
import type { Desk } from '../../bots/shared/desk.ts';
import type { LeakGuard } from '../../bots/shared/leak-guard.ts';
import type { Screen } from '../../bots/shared/screen.ts';
import type { Messenger } from '../core/ports/messenger.ts';

/** What the bots of a platform answer with. */
export interface BotMinds {
  readonly desk: Desk;
  readonly console: AdminConsole;
  readonly leaks: LeakGuard;
}

/** A chat platform whose token is set. The desk needs to know its community before the bots can be made. */
export interface OpenedPlatform {
  readonly community: Community | null;
  /** The bots by name, not started, and what sends there; null when none of them is for people. */
  open(minds: BotMinds): {
    readonly bots: Readonly<Record<string, ChatBot>>;
    readonly messenger: Messenger<Screen> | null;
  };
}
