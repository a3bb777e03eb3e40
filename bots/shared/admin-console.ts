import type { Platform } from '../../src/core/accounts/customers/customer.ts';
import type { ChatCommand, Move } from './conversation.ts';
import type { Screen } from './screen.ts';

/** The operator's command on Discord; elsewhere it lists the others. */
export const ADMIN_COMMAND = 'admin';

/** The person who gives a command, on Discord with their roles. */
export interface Actor {
  readonly platform: Platform;
  readonly userId: string;
  readonly name: string | null;
  readonly roleIds: readonly string[];
}

/** The operator's commands, the same on every platform. */
export interface AdminConsole {
  readonly commands: readonly ChatCommand[];
  isOperator(actor: Actor): boolean;
  /**
   * The answer to an operator. Null for other people and for unknown commands: the conversation answers then, so that a
   * stranger cannot detect the console.
   */
  move(actor: Actor, move: Move): Promise<Screen | null>;
}

/** The screen of `/help` for an operator: the commands of users, and where those of the operator are. */
export function withOperatorNote(screen: Screen): Screen {
  if (screen.name !== 'help') return screen;
  return { ...screen, body: [...screen.body, ['You are an operator here: /admin lists your commands.']] };
}
