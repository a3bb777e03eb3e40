import type { CustomerService } from '../customers/customer-service.ts';
import type { KeyStore } from '../keys/key-store.ts';
import type { PausableName } from '../operations/pause-store.ts';
import type { Channel, ChatMessage } from './chat-message.ts';
import { isChannel, isOperator } from './chat-queue.ts';
import type { ChatChange, ChatStore } from './chat-store.ts';
import { isTooOld } from './chat-times.ts';
import { operatorTarget, routeTo, type Target } from './find-recipient.ts';
import type { Messenger, SendResult } from './messenger.ts';
import { type SendDeps, sendClaimed } from './send-claimed.ts';

/** What sends to each platform; a platform without a bot is missing. */
export type Messengers<View> = Partial<Readonly<Record<Channel, Messenger<View>>>>;

/** What a turn stands on. */
export interface SendStepDeps<View> extends SendDeps<View> {
  readonly store: ChatStore;
  readonly messengers: Messengers<View>;
  /** Where the operator has a bot of their own, what writes to them; elsewhere `messengers` do. */
  readonly operatorMessengers?: Messengers<View>;
  readonly customers: Pick<CustomerService, 'byId' | 'markUnreachable'>;
  readonly keys: Pick<KeyStore, 'byId'>;
  readonly isPaused: (name: PausableName) => boolean;
  /** Alerts a channel gets one by one in a UTC hour. */
  readonly postsPerHour: number;
}

/** `isOurs`: it was this messenger's. `restMs`: so long the messenger is to be left alone. */
export interface SendStepEnd {
  readonly isOurs: boolean;
  readonly restMs: number;
}

/** Gives a due message its turn. What the stores throw goes through; then the message is still due. */
export type SendStep = (message: ChatMessage) => Promise<SendStepEnd>;

/** It waits, or another turn has it. */
export const NOT_OURS: SendStepEnd = { isOurs: false, restMs: 0 };
/** It was this messenger's, and nothing was sent. */
export const DONE: SendStepEnd = { isOurs: true, restMs: 0 };

/** Turns of the messages for people, on one platform. */
export function createPrivateSendStep<View>(deps: SendStepDeps<View>, platform: Channel): SendStep {
  const messenger = deps.messengers[platform];
  const operatorMessenger = deps.operatorMessengers?.[platform] ?? messenger;
  const isServed = (channel: Channel) => deps.messengers[channel] !== undefined;

  async function onBlocked(message: ChatMessage, { userId }: Target): Promise<ChatChange | undefined> {
    await deps.customers.markUnreachable(platform, userId);
    const { recipient } = message;
    const other =
      isChannel(recipient) || isOperator(recipient) ? null : await routeTo({ ...deps, isServed }, recipient);
    return other === null ? undefined : { state: 'pending', dueAt: deps.clock.now(), error: 'blocked' };
  }

  return async (message) => {
    const { recipient } = message;
    if (isChannel(recipient)) return NOT_OURS;
    if (isTooOld(message, deps.clock.now())) return giveUp(deps, message, 'too old');
    const target = isOperator(recipient)
      ? operatorTarget(recipient)
      : await routeTo({ ...deps, isServed }, recipient);
    if (target === null) return giveUp(deps, message, 'nowhere to write to');
    const sender = isOperator(recipient) ? operatorMessenger : messenger;
    if (target.platform !== platform || sender === undefined) return NOT_OURS;
    const restMs = await sendClaimed(deps, {
      message,
      call: (view, signal) => sender.send({ chat: target.chat }, view, signal),
      isRepeatable: true,
      unless: async (result) => (isBlocked(result) ? onBlocked(message, target) : undefined),
    });
    return { isOurs: true, restMs };
  };
}

function isBlocked(result: SendResult): boolean {
  return !result.ok && result.reason === 'blocked';
}

/** Ends a message that is not to be sent any more. */
export async function giveUp<View>(
  { store, clock }: SendStepDeps<View>,
  { id, attempts, error }: ChatMessage,
  why: string,
): Promise<SendStepEnd> {
  await store.giveUp(id, {
    state: attempts > 0 ? 'failed' : 'dropped',
    error: error ?? why,
    at: clock.now(),
  });
  return DONE;
}
