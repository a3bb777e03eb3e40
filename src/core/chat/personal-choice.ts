import type { Visitor } from '../accounts/customers/customer.ts';
import type { EpochMs } from '../base/time/duration.ts';
import type { ChatMessage, NewChatMessage, Recipient } from './chat-message.ts';

/** Where messages to a person go. */
export type PersonalAddress = Pick<Visitor, 'platform' | 'userId' | 'chat'>;

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

/** Stored error of an alert that could not be sent: the person blocked the bot. */
export const UNREACHABLE = 'unreachable';
