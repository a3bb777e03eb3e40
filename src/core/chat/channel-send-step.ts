import type { Clock } from '../base/time/clock.ts';
import type { EpochMs } from '../base/time/duration.ts';
import type { PausableName } from '../operations/pause-flags.ts';
import type { Channel, ChatMessage, PostMessage } from './chat-message.ts';
import type { ChatChange, ChatStore } from './chat-store.ts';
import { isTooOld } from './chat-times.ts';
import { MESSAGE_DROP_REASONS } from './drop-reasons.ts';
import type { MessageSender } from './message-sender.ts';
import type { Messenger, SendResult } from './messenger.ts';
import { isChosen, undecidedBefore } from './post-choice.ts';
import { DONE, giveUp, NOT_OURS, type SendStepResult } from './send-step.ts';
import {
  isAwaited,
  isInFlight,
  isOvertaken,
  newerPosts,
  type PostEdit,
  postToEdit,
  standingPost,
  type Thread,
  untilWithdrawn,
  withNewest,
} from './thread-post.ts';
import { withUnposted } from './unposted-alerts.ts';

/** Stored error of an edit that the platform refuses: the post gets a reply instead, which is not repeated after a crash. */
export const CANNOT_EDIT = 'cannot be edited';
const { withdrawn: WITHDRAWN, gone: GONE, superseded: SUPERSEDED } = MESSAGE_DROP_REASONS;

/** Dependencies of a `ChannelSendStep`. */
export interface ChannelSendStepOptions {
  readonly store: ChatStore;
  readonly isPaused: (name: PausableName) => boolean;
  /** Posts of a channel in 24 hours; twice as many with those of the highest scores. */
  readonly postsPerDay: number;
  readonly clock: Pick<Clock, 'now'>;
}

interface ChannelTarget<View> {
  readonly channel: Channel;
  readonly messenger: Messenger<View>;
}

/** What an edit changes: a message at a place, which shows the newest alert of the thread. */
interface EditTarget {
  readonly thread: Thread;
  readonly post: PostMessage;
  readonly place: string;
}

/** Handles the messages to one channel. */
export class ChannelSendStep<View> {
  readonly #channel: Channel;
  readonly #messenger: Messenger<View>;
  readonly #sender: MessageSender<View>;
  readonly #options: ChannelSendStepOptions;

  constructor(
    { channel, messenger }: ChannelTarget<View>,
    sender: MessageSender<View>,
    options: ChannelSendStepOptions,
  ) {
    this.#channel = channel;
    this.#messenger = messenger;
    this.#sender = sender;
    this.#options = options;
  }

  get #now(): EpochMs {
    return this.#options.clock.now();
  }

  /** A `SendStep`. */
  readonly take = async (message: ChatMessage): Promise<SendStepResult> => {
    const isOld = isTooOld(message, this.#now);
    if (isOld && message.kind !== 'alert') return this.#giveUp(message, 'too old');
    if (!isOld && this.#options.isPaused(`channel:${this.#channel}`)) return NOT_OURS;
    // It may be in the channel: neither an edit, nor a newer alert, nor a list takes its place.
    if (message.kind === 'alert' && message.unsureSince !== null) return this.#send(message);
    if (message.kind === 'alert') return this.#post(message, isOld);
    if (message.kind === 'alert_update' || message.kind === 'alert_result') return this.#edit(message);
    if (message.kind !== 'daily_digest') return this.#send(message);
    return this.#send(await withUnposted(message, { ...this.#options, channel: this.#channel }));
  };

  async #send(message: ChatMessage): Promise<SendStepResult> {
    const messenger = this.#messenger;
    const pauseMs = await this.#sender.send({
      message,
      call: (view, signal) => messenger.send('channel', view, signal, message.id),
      isRepeatable: false,
      deduplicatesForMs: messenger.deduplicatesForMs ?? 0,
    });
    return { isOurs: true, pauseMs };
  }

  #giveUp(message: ChatMessage, why: string): Promise<SendStepResult> {
    return giveUp(this.#options.store, message, { why, at: this.#now });
  }

  /** A thread has one post, which newer alerts edit. `isOld`: too old for a new post, not for an edit. */
  async #post(message: PostMessage, isOld: boolean): Promise<SendStepResult> {
    const thread = await this.#threadOf(message);
    if (!isIn(thread, message)) return this.#giveUp(message, WITHDRAWN);
    const standing = standingPost(thread);
    if (standing?.state === 'sending') return NOT_OURS;
    if (standing !== undefined) {
      // Stored before the edit is sent, so that it is repeated as an edit after a crash.
      await this.#options.store.makeUpdate(message.id);
      return DONE;
    }
    if (isOld) return this.#giveUp(message, 'too old');
    if (isInFlight(message)) return this.#sendFirst(message, thread);
    // It edits the post that is sent before it.
    if (thread.some(isInFlight)) return NOT_OURS;
    const deps = { ...this.#options, channel: this.#channel };
    const earlier = await undecidedBefore(deps, message);
    if (earlier !== undefined) {
      const step = await this.take(earlier);
      return step.isOurs && step.pauseMs === 0 ? this.#post(message, isOld) : step;
    }
    if (await isChosen(deps, message)) return this.#sendFirst(message, thread);
    await this.#options.store.giveUp(message.id, { state: 'folded', error: null, at: this.#now });
    return DONE;
  }

  /** Sends the post of a thread, which shows the newest alert that is due. The posts of the alerts in between are needless. */
  async #sendFirst(message: PostMessage, thread: Thread): Promise<SendStepResult> {
    const { store } = this.#options;
    const newer = newerPosts(thread, message, this.#now);
    for (const { id, state } of newer) {
      if (state !== 'pending') continue;
      // An edit, so that withdrawing that alert finds the post of its thread.
      await store.makeUpdate(id);
      await store.giveUp(id, { state: 'dropped', error: MESSAGE_DROP_REASONS.shownByPost, at: this.#now });
    }
    const { alertId } = (newer.at(-1) ?? message).facts;
    return this.#send({ ...message, facts: { ...message.facts, alertId } });
  }

  /** A pending post will show the outcome when it is sent; a newer alert waits for it. A deleted post is not changed. */
  async #edit(message: PostEdit): Promise<SendStepResult> {
    const thread = await this.#threadOf(message);
    if (message.kind === 'alert_update') {
      const end = await this.#endOfUpdate(message, thread);
      if (end !== undefined) return end;
    }
    const post = postToEdit(thread, message);
    const answer = message.kind === 'alert_result' ? message.facts.answer : undefined;
    if (answer !== undefined && post !== undefined)
      return this.#changeAnswer(message, { thread, post, place: answer });
    if (post?.state === 'sending') return NOT_OURS;
    if (post?.state !== 'sent' || post.place === null) return this.#giveUp(message, 'no post to change');
    return this.#change(message, { thread, post, place: post.place });
  }

  /** Ends an update that needs no edit now; undefined when it needs one. */
  async #endOfUpdate(message: PostEdit, thread: Thread): Promise<SendStepResult | undefined> {
    if (!isIn(thread, message)) return this.#giveUp(message, WITHDRAWN);
    if (isAwaited(thread, message)) return NOT_OURS;
    if (!isOvertaken(thread, message, this.#now)) return undefined;
    if (message.unsureSince !== null) return this.#giveUp(message, SUPERSEDED);
    await this.#options.store.giveUp(message.id, superseded(this.#now));
    return DONE;
  }

  /** Edits an answer to a post. One that cannot be edited gets no answer of its own: the edit fails. */
  async #changeAnswer(message: PostEdit, { thread, post, place }: EditTarget): Promise<SendStepResult> {
    const pauseMs = await this.#sender.send({
      message: withNewest(message, { thread, post, now: this.#now }),
      call: (view, signal) => this.#messenger.edit(place, view, signal),
      isRepeatable: true,
      deduplicatesForMs: 0,
      override: async (result) =>
        isGone(result) ? { state: 'dropped', error: GONE, at: this.#now } : undefined,
    });
    return { isOurs: true, pauseMs };
  }

  async #change(message: PostEdit, { thread, post, place }: EditTarget): Promise<SendStepResult> {
    const isReply = message.error === CANNOT_EDIT;
    const messenger = this.#messenger;
    const pauseMs = await this.#sender.send({
      message: withNewest(message, { thread, post, now: this.#now }),
      call: (view, signal) =>
        isReply ? messenger.reply(place, view, signal, message.id) : messenger.edit(place, view, signal),
      isRepeatable: !isReply,
      deduplicatesForMs: messenger.deduplicatesForMs ?? 0,
      // The retry of a reply is a reply again.
      ...(isReply ? { retryError: CANNOT_EDIT } : {}),
      override: async (result) => {
        // The post first: after a crash here the edit is repeated and finds no post to change.
        if (isGone(result)) await this.#options.store.endGone(post.id, { error: GONE, at: this.#now });
        return afterEdit(result, isReply, this.#now);
      },
    });
    return { isOurs: true, pauseMs };
  }

  /** The messages of the thread in this channel, up to the first that was withdrawn. */
  async #threadOf({ facts: { threadId } }: PostMessage | PostEdit): Promise<Thread> {
    return untilWithdrawn(await this.#options.store.postsOfThread({ channel: this.#channel, threadId }));
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
  return undefined;
}
