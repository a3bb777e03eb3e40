import type { Visitor } from '../../src/core/customers/customer.ts';
import type { Screen } from './screen.ts';

/** A command of the chat: typed as `/name` or chosen from the platform's menu. */
export interface ChatCommand {
  readonly name: string;
  /** At most 100 characters; shown in menus. */
  readonly description: string;
  /** What it takes behind its name, for example a link code; null for most. */
  readonly argument: { readonly name: string; readonly description: string } | null;
}

/** What a person did. */
export type Move =
  | { readonly kind: 'command'; readonly name: string; readonly argument: string }
  /** A button of ours was tapped. */
  | { readonly kind: 'tap'; readonly action: string }
  /** A line of text that is no command. */
  | { readonly kind: 'text'; readonly text: string };

/** The conversation, the same on every platform. One move of a person at a time; several people at once. */
export interface Conversation {
  /** For the platform's menu. `start` is among them. */
  readonly commands: readonly ChatCommand[];
  /** What the person sees next. Never throws for what they typed; a fault of ours is a screen as well, and logged. */
  move(visitor: Visitor, move: Move): Promise<Screen>;
  /** The platform has taken the message with the secret. */
  shown(screen: Screen): Promise<void>;
}
