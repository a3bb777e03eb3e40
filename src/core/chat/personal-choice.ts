import type { HandleId } from '../accounts/customers/customer.ts';
import type { EpochMs } from '../base/time/duration.ts';
import type { ChatMessage, NewChatMessage, Recipient } from './chat-message.ts';

/** Where messages to a person go. */
export interface PersonalAddress {
  /** For the messenger of the place: a chat, or the customer's id where there are no chats. */
  readonly chat: string;
  /** The account that cannot be reached when the platform says so; null where there are none. */
  readonly handle: HandleId | null;
}

/**
 * What to do with a due message about a person's follows. `message`: send it, with the fields that are set at sending. `drop`:
 * the person does not want it, or no longer exists. `fold`: their next list contains it; `notice` tells them so, once.
 */
export type PersonalVerdict =
  | { readonly act: 'send'; readonly message: ChatMessage; readonly to: PersonalAddress }
  | { readonly act: 'drop'; readonly why: string }
  | { readonly act: 'fold'; readonly why: string; readonly notice?: NewChatMessage }
  | { readonly act: 'wait'; readonly until: EpochMs };

/** Decides by the person's current wishes. */
export interface PersonalChoice {
  /**
   * The verdicts on a person's due messages, in the same order. A message that will be sent counts as sent when the next is
   * judged. Throws what the stores throw.
   */
  judge(recipient: Recipient, messages: readonly ChatMessage[]): Promise<readonly PersonalVerdict[]>;
}

/** Stored error of an alert that could not be sent: the person blocked the bot, or removed the address. */
export const UNREACHABLE = 'unreachable';
