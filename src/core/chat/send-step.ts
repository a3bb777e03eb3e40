import type { Customer, Platform } from '../accounts/customers/customer.ts';
import type { CustomerService } from '../accounts/customers/customer-service.ts';
import type { Keys } from '../accounts/keys/api-key.ts';
import type { Clock } from '../base/time/clock.ts';
import {
  CHANNELS,
  type Channel,
  type ChatMessage,
  isChannel,
  isOperator,
  isTooOld,
  type Recipient,
} from './chat-message.ts';
import type { ChatStore } from './chat-store.ts';
import { DONE, type MessageSender, type SendStepResult } from './message-sender.ts';
import type { Messenger } from './messenger.ts';

/** The messenger to each platform; `PLATFORM_admin`: to operators, where they have a bot of their own. */
export type Messengers<View> = Partial<Readonly<Record<Platform | `${Channel}_admin`, Messenger<View>>>>;

/** Handles one due message. Throws what the stores throw; the message is still due then. */
export type SendStep = (message: ChatMessage) => Promise<SendStepResult>;

/** The message waits, or is for another queue. */
export const NOT_OURS: SendStepResult = { isOurs: false, pauseMs: 0 };

/** Dependencies of the messages to people. */
export interface PrivateSendStepOptions<View> {
  readonly store: Pick<ChatStore, 'giveUp'>;
  readonly messengers: Messengers<View>;
  readonly customers: Pick<CustomerService, 'byId' | 'markUnreachable'>;
  readonly keys: Pick<Keys, 'byId'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Handles messages to people on one platform. */
export function createPrivateSendStep<View>(
  platform: Channel,
  sender: MessageSender<View>,
  options: PrivateSendStepOptions<View>,
): SendStep {
  const { store, messengers, customers, clock } = options;
  return async (message) => {
    const { recipient } = message;
    if (isChannel(recipient)) return NOT_OURS;
    if (isTooOld(message, clock.now())) return giveUp(store, message, { why: 'too old', at: clock.now() });
    const target = isOperator(recipient) ? operatorTarget(recipient) : await targetOf(recipient, options);
    if (target === null) return giveUp(store, message, { why: 'nowhere to write to', at: clock.now() });
    const ownMessenger = isOperator(recipient) ? messengers[`${platform}_admin`] : undefined;
    const messenger = ownMessenger ?? messengers[platform];
    if (target.platform !== platform || messenger === undefined) return NOT_OURS;
    return sender.send({
      message,
      messenger,
      call: (view, signal) => messenger.send({ chat: target.chat }, view, signal, message.id),
      override: async (result) => {
        if (result.ok || result.reason !== 'blocked') return undefined;
        await customers.markUnreachable(platform, target.userId);
        return undefined;
      },
    });
  };
}

/** Ends a message that will not be sent (again), as `unknown` if it may have been sent. */
export async function giveUp(
  store: Pick<ChatStore, 'giveUp'>,
  { id, attempts, error, unsureSince }: ChatMessage,
  { why, at }: { readonly why: string; readonly at: number },
): Promise<SendStepResult> {
  const end = { error: error ?? why, at };
  if (unsureSince !== null) await store.giveUp(id, { ...end, state: 'unknown', unsureSince });
  else await store.giveUp(id, { ...end, state: attempts > 0 ? 'failed' : 'dropped' });
  return DONE;
}

type Target = Pick<Customer, 'userId' | 'chat'> & { readonly platform: Channel };

/** An operator need not be a customer: their private chat. */
function operatorTarget(recipient: Extract<Recipient, `operator:${string}`>): Target {
  const [, platform, userId = ''] = recipient.split(':');
  return { platform: platform as Channel, userId, chat: userId };
}

/** A person's current address. Null if they are unknown, banned, unreachable, or where no messenger goes. */
async function targetOf<View>(
  recipient: Extract<Recipient, `customer:${string}` | `key:${string}`>,
  { customers, keys, messengers }: PrivateSendStepOptions<View>,
): Promise<Target | null> {
  const [kind, id = ''] = recipient.split(':');
  const customerId = kind === 'customer' ? id : (await keys.byId(id))?.customerId;
  const customer = customerId == null ? null : await customers.byId(customerId);
  // Messages from before a ban are not sent either.
  if (customer === null || customer.bannedAt !== null) return null;
  const { userId, chat, isReachable } = customer;
  const platform = CHANNELS.find((channel) => channel === customer.platform);
  if (!isReachable || platform === undefined || messengers[platform] === undefined) return null;
  return { platform, userId, chat };
}
