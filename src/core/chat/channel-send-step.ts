import type { Channel, ChatMessage, PostMessage } from './chat-message.ts';
import type { ChatChange } from './chat-store.ts';
import { isTooOld } from './chat-times.ts';
import { addToRollup, isHourFull, withRolledUp } from './hourly-rollup.ts';
import type { Messenger, SendResult } from './messenger.ts';
import { sendClaimed } from './send-claimed.ts';
import { DONE, giveUp, NOT_OURS, type SendStep, type SendStepDeps, type SendStepEnd } from './send-step.ts';
import {
  isAwaited,
  isOvertaken,
  type PostEdit,
  pendingPosts,
  postToEdit,
  standingPost,
  type Thread,
  untilWithdrawn,
  withNewest,
} from './thread-post.ts';

/** The post cannot be edited: it is answered. What is sent once must not be sent again after a crash. */
export const CANNOT_EDIT = 'cannot be edited';
const WITHDRAWN = 'its thread was withdrawn';
const GONE = 'the post is gone';
const SUPERSEDED = 'a newer alert of its thread takes its place';

/** Turns of the messages in one channel. */
export function createChannelSendStep<View>(
  deps: SendStepDeps<View>,
  channel: Channel,
  messenger: Messenger<View>,
): SendStep {
  const sendStep = new ChannelSendStep(deps, channel, messenger);
  return (message) => sendStep.take(message);
}

class ChannelSendStep<View> {
  readonly #deps: SendStepDeps<View>;
  readonly #channel: Channel;
  readonly #messenger: Messenger<View>;

  constructor(deps: SendStepDeps<View>, channel: Channel, messenger: Messenger<View>) {
    this.#deps = deps;
    this.#channel = channel;
    this.#messenger = messenger;
  }

  async take(message: ChatMessage): Promise<SendStepEnd> {
    const isOld = isTooOld(message, this.#deps.clock.now());
    if (isOld && message.kind !== 'alert') return giveUp(this.#deps, message, 'too old');
    if (!isOld && this.#deps.isPaused(`channel:${this.#channel}`)) return NOT_OURS;
    if (message.kind === 'alert') return this.#post(message, isOld);
    if (message.kind === 'alert_update' || message.kind === 'alert_result') return this.#edit(message);
    if (message.kind !== 'more_alerts') return this.#send(message);
    return this.#send(await withRolledUp(this.#deps, this.#channel, message));
  }

  async #send(message: ChatMessage): Promise<SendStepEnd> {
    const call = (view: View, signal: AbortSignal) => this.#messenger.send('channel', view, signal);
    return { isOurs: true, restMs: await sendClaimed(this.#deps, { message, call, isRepeatable: false }) };
  }

  /** A thread has one post, which its newer alerts edit. `isOld`: too old for a post, not for an edit. */
  async #post(message: PostMessage, isOld: boolean): Promise<SendStepEnd> {
    const thread = await this.#threadOf(message);
    if (!isIn(thread, message)) return giveUp(this.#deps, message, WITHDRAWN);
    const standing = standingPost(thread);
    if (standing?.state === 'sending') return NOT_OURS;
    if (standing !== undefined) {
      // Written before the edit is tried: should the process die, it is known for one and made again.
      await this.#deps.store.makeUpdate(message.id);
      return DONE;
    }
    if (isOld) return giveUp(this.#deps, message, 'too old');
    if (!(await this.#isNewest(message, thread))) return DONE;
    if (!(await isHourFull(this.#deps, this.#channel))) return this.#send(message);
    await addToRollup(this.#deps, this.#channel, message);
    return DONE;
  }

  /** Of the posts of a thread that may be sent by now only the newest is; the others are given up. */
  async #isNewest(message: PostMessage, thread: Thread): Promise<boolean> {
    const { store, clock } = this.#deps;
    const change = superseded(clock.now());
    const waiting = pendingPosts(thread, clock.now());
    const older = waiting.slice(0, -1).map(({ id }) => store.giveUp(id, change));
    // One that was claimed since is being sent: then it is the post that is edited.
    const areGivenUp = (await Promise.all(older)).every(Boolean);
    return areGivenUp && waiting.at(-1)?.id === message.id;
  }

  /**
   * A post that waits will show the outcome by itself, but not a newer alert, which waits for it; one that is gone needs
   * no change.
   */
  async #edit(message: PostEdit): Promise<SendStepEnd> {
    const thread = await this.#threadOf(message);
    if (message.kind === 'alert_update') {
      const end = await this.#endOfUpdate(message, thread);
      if (end !== undefined) return end;
    }
    const post = postToEdit(thread, message);
    if (post?.state === 'sending') return NOT_OURS;
    if (post?.state !== 'sent' || post.place === null)
      return giveUp(this.#deps, message, 'no post to change');
    return this.#change(message, { thread, post, place: post.place });
  }

  /** How an update's turn ends before any edit; undefined when it does not. */
  async #endOfUpdate(message: PostEdit, thread: Thread): Promise<SendStepEnd | undefined> {
    const { store, clock } = this.#deps;
    if (!isIn(thread, message)) return giveUp(this.#deps, message, WITHDRAWN);
    if (isAwaited(thread, message)) return NOT_OURS;
    if (!isOvertaken(thread, message, clock.now())) return undefined;
    await store.giveUp(message.id, superseded(clock.now()));
    return DONE;
  }

  async #change(
    message: PostEdit,
    { thread, post, place }: { readonly thread: Thread; readonly post: PostMessage; readonly place: string },
  ): Promise<SendStepEnd> {
    const { store, clock } = this.#deps;
    const isReply = message.error === CANNOT_EDIT;
    const restMs = await sendClaimed(this.#deps, {
      message: withNewest(message, { thread, post, now: clock.now() }),
      call: (view, signal) =>
        isReply ? this.#messenger.reply(place, view, signal) : this.#messenger.edit(place, view, signal),
      isRepeatable: !isReply,
      unless: async (result) => {
        // First the post: an edit whose process dies here is made again, and finds no post to change.
        if (isGone(result)) await store.endGone(post.id, { error: GONE, at: clock.now() });
        return afterEdit(result, isReply, clock.now());
      },
    });
    return { isOurs: true, restMs };
  }

  /** What the channel has of the message's thread, as far as it may be shown. */
  async #threadOf({ facts: { threadId } }: PostMessage | PostEdit): Promise<Thread> {
    return untilWithdrawn(await this.#deps.store.postsOfThread({ channel: this.#channel, threadId }));
  }
}

function isIn(thread: Thread, { id }: ChatMessage): boolean {
  return thread.some((message) => message.id === id);
}

function superseded(at: number) {
  return { state: 'dropped', error: SUPERSEDED, at } as const;
}

function isGone(result: SendResult): boolean {
  return !result.ok && result.reason === 'gone';
}

function afterEdit(result: SendResult, isReply: boolean, now: number): ChatChange | undefined {
  if (result.ok) return undefined;
  if (isGone(result)) return { state: 'dropped', error: GONE, at: now };
  if (!isReply && result.reason === 'refused') return { state: 'pending', dueAt: now, error: CANNOT_EDIT };
  // The reply comes later, and must be known for one then.
  if (isReply && result.reason === 'later')
    return { state: 'pending', dueAt: now + Math.max(result.retryAfterMs, 1_000), error: CANNOT_EDIT };
  return undefined;
}
