import type { Community } from '../../../bots/shared/chat-bot.ts';
import type { Conversation } from '../../../bots/shared/conversation.ts';
import type { Platform } from '../../../src/core/accounts/customers/customer.ts';

/** A screen as a person sees it, without the platform's markup. */
export interface SeenScreen {
  /** Paragraphs with an empty line between them. */
  readonly text: string;
  /** Labels, in order. */
  readonly buttons: readonly string[];
}

/** A person with a private chat. Each move resolves with the screen it led to. */
export interface ChatPerson {
  command(name: string, argument?: string): Promise<SeenScreen>;
  /** A button of the newest screen, by its label. */
  tap(label: string): Promise<SeenScreen>;
  type(text: string): Promise<SeenScreen>;
  /** The platform's answer when it is asked whether they are in the community. */
  setMembership(membership: 'member' | 'not_member' | 'error'): void;
}

/** A renderer with its platform: a simulator of the wire for Telegram and Discord, a pseudo terminal for the terminal. */
export interface ChatDriver {
  readonly platform: Platform;
  person(name: string): Promise<ChatPerson>;
  close(): Promise<void>;
}

/** Builds a renderer around the conversation that `makeConversation` makes for its community. */
export type OpenDriver = (makeConversation: (community: Community) => Conversation) => Promise<ChatDriver>;
