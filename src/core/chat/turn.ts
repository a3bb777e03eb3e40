import type { CustomerService } from '../customers/customer-service.ts';
import type { ChatChange, ChatStore } from '../ports/chat-store.ts';
import type { KeyStore } from '../ports/key-store.ts';
import type { Messenger, SendResult } from '../ports/messenger.ts';
import type { SwitchName } from '../ports/switch-store.ts';
import type { Channel, ChatMessage } from './chat-message.ts';
import { isTooOld } from './chat-times.ts';
import { fold, isHourFull, withFolded } from './fold.ts';
import { isChannel, isOperator } from './lane.ts';
import { alertPostId } from './message-ids.ts';
import { operatorTarget, routeTo, type Target } from './route.ts';
import { type SendDeps, sendClaimed } from './send-claimed.ts';

/** What sends to each platform; a platform without a bot is missing. */
export type Messengers<View> = Partial<Readonly<Record<Channel, Messenger<View>>>>;

/** What a turn stands on. */
export interface TurnDeps<View> extends SendDeps<View> {
  readonly store: ChatStore;
  readonly messengers: Messengers<View>;
  /** Where the operator has a bot of their own, what writes to them; elsewhere `messengers` do. */
  readonly operatorMessengers?: Messengers<View>;
  readonly customers: Pick<CustomerService, 'byId' | 'markUnreachable'>;
  readonly keys: Pick<KeyStore, 'byId'>;
  readonly isPaused: (name: SwitchName) => boolean;
  /** Alerts a channel gets one by one in a UTC hour. */
  readonly postsPerHour: number;
}

/** `isOurs`: it was this messenger's. `restMs`: so long the messenger is to be left alone. */
export interface TurnEnd {
  readonly isOurs: boolean;
  readonly restMs: number;
}

/** Gives a due message its turn. What the stores throw goes through; then the message is still due. */
export type Turn = (message: ChatMessage) => Promise<TurnEnd>;

/** The post cannot be edited: it is answered. What is sent once must not be sent again after a crash. */
export const CANNOT_EDIT = 'cannot be edited';

const NOT_OURS: TurnEnd = { isOurs: false, restMs: 0 };
const DONE: TurnEnd = { isOurs: true, restMs: 0 };

/** Turns of the messages for people, on one platform. */
export function createPrivateTurn<View>(deps: TurnDeps<View>, platform: Channel): Turn {
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

/** Turns of the messages in one channel. */
export function createChannelTurn<View>(
  deps: TurnDeps<View>,
  channel: Channel,
  messenger: Messenger<View>,
): Turn {
  async function send(message: ChatMessage): Promise<TurnEnd> {
    const call = (view: View, signal: AbortSignal) => messenger.send('channel', view, signal);
    return { isOurs: true, restMs: await sendClaimed(deps, { message, call, isRepeatable: false }) };
  }

  /** A post that waits will show the outcome by itself; one that is gone needs none. */
  async function change(message: ChatMessage & { readonly kind: 'alert_result' }): Promise<TurnEnd> {
    const post = await deps.store.byId(alertPostId(message.facts.alertId, channel));
    if (post?.state === 'sending') return NOT_OURS;
    if (post?.state !== 'sent' || post.place === null) return giveUp(deps, message, 'no post to change');
    const { place } = post;
    const isReply = message.error === CANNOT_EDIT;
    const call = (view: View, signal: AbortSignal) =>
      isReply ? messenger.reply(place, view, signal) : messenger.edit(place, view, signal);
    const unless = async (result: SendResult) => afterChange(result, isReply, deps.clock.now());
    return {
      isOurs: true,
      restMs: await sendClaimed(deps, { message, call, isRepeatable: !isReply, unless }),
    };
  }

  return async (message) => {
    if (isTooOld(message, deps.clock.now())) return giveUp(deps, message, 'too old');
    if (deps.isPaused(`channel:${channel}`)) return NOT_OURS;
    if (message.kind === 'alert_result') return change(message);
    if (message.kind === 'more_alerts') return send(await withFolded(deps, channel, message));
    if (message.kind !== 'alert' || !(await isHourFull(deps, channel))) return send(message);
    await fold(deps, channel, message);
    return DONE;
  };
}

function afterChange(result: SendResult, isReply: boolean, now: number): ChatChange | undefined {
  if (result.ok) return undefined;
  if (result.reason === 'gone') return { state: 'dropped', error: 'the post is gone', at: now };
  if (!isReply && result.reason === 'refused') return { state: 'pending', dueAt: now, error: CANNOT_EDIT };
  // The reply comes later, and must be known for one then.
  if (isReply && result.reason === 'later')
    return { state: 'pending', dueAt: now + Math.max(result.retryAfterMs, 1_000), error: CANNOT_EDIT };
  return undefined;
}

function isBlocked(result: SendResult): boolean {
  return !result.ok && result.reason === 'blocked';
}

async function giveUp<View>(
  { store, clock }: TurnDeps<View>,
  { id, attempts, error }: ChatMessage,
  why: string,
): Promise<TurnEnd> {
  await store.giveUp(id, {
    state: attempts > 0 ? 'failed' : 'dropped',
    error: error ?? why,
    at: clock.now(),
  });
  return DONE;
}
