import type { Clock } from '../clock.ts';
import type { CustomerService } from '../customers/customer-service.ts';
import type { KeyStore } from '../keys/key-store.ts';
import type { Channel, ChatMessage } from './chat-message.ts';
import { isChannel, isOperator } from './chat-queue.ts';
import type { ChatChange, ChatStore } from './chat-store.ts';
import { isTooOld } from './chat-times.ts';
import { operatorTarget, routeTo, type Target } from './find-recipient.ts';
import type { MessageSender } from './message-sender.ts';
import type { Messenger } from './messenger.ts';

/** The messenger of each platform that has a bot. */
export type Messengers<View> = Partial<Readonly<Record<Channel, Messenger<View>>>>;

/** What a step did with a message. */
export interface SendStepResult {
  /** False: the message waits, or belongs to another worker. */
  readonly isOurs: boolean;
  /** Milliseconds for which the queue pauses; 0: none. */
  readonly pauseMs: number;
}

/** Handles one due message. Throws what the stores throw; the message is still due then. */
export type SendStep = (message: ChatMessage) => Promise<SendStepResult>;

/** The message waits, or belongs to another worker. */
export const NOT_OURS: SendStepResult = { isOurs: false, pauseMs: 0 };
/** The message was handled without sending it. */
export const DONE: SendStepResult = { isOurs: true, pauseMs: 0 };

/** Dependencies of the private messages on one platform. */
export interface PrivateSendStepOptions<View> {
  readonly platform: Channel;
  readonly sender: MessageSender<View>;
  readonly store: Pick<ChatStore, 'giveUp'>;
  readonly messengers: Messengers<View>;
  /** Messengers to operators, where they have a bot of their own; elsewhere `messengers` are used. */
  readonly operatorMessengers: Messengers<View>;
  readonly customers: Pick<CustomerService, 'byId' | 'markUnreachable'>;
  readonly keys: Pick<KeyStore, 'byId'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Handles messages to people on one platform. */
export function createPrivateSendStep<View>(options: PrivateSendStepOptions<View>): SendStep {
  const { platform, sender, store, messengers, operatorMessengers, customers, keys, clock } = options;
  const route = { customers, keys, isServed: (channel: Channel) => messengers[channel] !== undefined };

  async function onBlocked(message: ChatMessage, { userId }: Target): Promise<ChatChange | undefined> {
    await customers.markUnreachable(platform, userId);
    const { recipient } = message;
    if (isChannel(recipient) || isOperator(recipient)) return undefined;
    const other = await routeTo(route, recipient);
    return other === null ? undefined : { state: 'pending', dueAt: clock.now(), error: 'blocked' };
  }

  return async (message) => {
    const { recipient } = message;
    if (isChannel(recipient)) return NOT_OURS;
    if (isTooOld(message, clock.now())) return giveUp(store, message, { why: 'too old', at: clock.now() });
    const target = isOperator(recipient) ? operatorTarget(recipient) : await routeTo(route, recipient);
    if (target === null) return giveUp(store, message, { why: 'nowhere to write to', at: clock.now() });
    const ownMessenger = isOperator(recipient) ? operatorMessengers[platform] : undefined;
    const messenger = ownMessenger ?? messengers[platform];
    if (target.platform !== platform || messenger === undefined) return NOT_OURS;
    const pauseMs = await sender.send({
      message,
      call: (view, signal) => messenger.send({ chat: target.chat }, view, signal),
      isRepeatable: true,
      override: async (result) =>
        !result.ok && result.reason === 'blocked' ? onBlocked(message, target) : undefined,
    });
    return { isOurs: true, pauseMs };
  };
}

/** Ends a message that is not sent (again). */
export async function giveUp(
  store: Pick<ChatStore, 'giveUp'>,
  { id, attempts, error }: ChatMessage,
  { why, at }: { readonly why: string; readonly at: number },
): Promise<SendStepResult> {
  await store.giveUp(id, { state: attempts > 0 ? 'failed' : 'dropped', error: error ?? why, at });
  return DONE;
}
