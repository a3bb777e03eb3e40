import type { Platform } from '../../src/core/customers/customer.ts';
import type { ChatCommand, Move } from './conversation.ts';
import type { Screen } from './screen.ts';

/** Whoever gives a command: a person, and on Discord the roles they have. */
export interface Actor {
  readonly platform: Platform;
  readonly userId: string;
  readonly name: string | null;
  readonly roleIds: readonly string[];
}

/** The operator's commands, the same on every platform. */
export interface AdminConsole {
  readonly commands: readonly ChatCommand[];
  /** Whether this person may give them at all. */
  isAdmin(actor: Actor): boolean;
  /**
   * What the operator sees; null for whoever is no admin and for what is no command of the console: the renderer goes
   * on as if there were no console, so that a stranger cannot tell the two apart.
   */
  move(actor: Actor, move: Move): Promise<Screen | null>;
}
