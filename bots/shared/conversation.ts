import type { Platform, Visitor } from '../../src/core/accounts/customers/customer.ts';
import type { Screen } from './screen.ts';

/** A command of the chat: typed as `/name` or chosen from the platform's menu. */
export interface ChatCommand {
  readonly name: string;
  /** At most 100 characters; shown in menus. */
  readonly description: string;
  readonly argument: { readonly name: string; readonly description: string } | null;
}

export type Move =
  | { readonly kind: 'command'; readonly name: string; readonly argument: string }
  | { readonly kind: 'tap'; readonly action: string }
  /** A photo, a sticker, a voice message or other content without text. */
  | { readonly kind: 'content' }
  | { readonly kind: 'text'; readonly text: string };

/** The conversation, the same on every platform. One move of a person at a time, several people in parallel. */
export interface Conversation {
  readonly commands: readonly ChatCommand[];
  /** The next screen for the person. Never throws: a failure is logged and answered with a screen. */
  move(visitor: Visitor, move: Move): Promise<Screen>;
  /** Call when the platform accepted the message with the secret. */
  shown(screen: Screen): Promise<void>;
}

/** The operator's command on Discord; elsewhere it lists the others. */
export const ADMIN_COMMAND = 'admin';

/** The person who gives a command, on Discord with their roles. */
export interface Actor {
  readonly platform: Platform;
  readonly userId: string;
  readonly name: string | null;
  readonly roleIds: readonly string[];
}

export interface AdminConsole {
  readonly commands: readonly ChatCommand[];
  isOperator(actor: Actor): boolean;
  /** The answer to an operator. Null for others and unknown commands: a stranger learns nothing. */
  move(actor: Actor, move: Move): Promise<Screen | null>;
}

export function withOperatorNote(screen: Screen): Screen {
  if (screen.name !== 'help') return screen;
  return { ...screen, body: [...screen.body, ['You are an operator here: /admin lists your commands.']] };
}

/** `/name@bot argument`; null for other texts. `bot` is empty when none is named. */
export function commandInText(
  text: string,
): { readonly name: string; readonly bot: string; readonly argument: string } | null {
  const [, name, bot = '', argument = ''] =
    /^\/(\w{1,32})(?:@(\w+))?(?:\s+([\s\S]*))?$/.exec(text.trim()) ?? [];
  return name === undefined ? null : { name: name.toLowerCase(), bot, argument: argument.trim() };
}
