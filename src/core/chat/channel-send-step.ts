import type { Clock } from '../clock.ts';
import type { PausableName } from '../operations/pause-flags.ts';
import type { EpochMs } from '../trade.ts';
import type { Channel, ChatMessage, PostMessage } from './chat-message.ts';
import type { ChatChange, ChatStore } from './chat-store.ts';
import { isTooOld } from './chat-times.ts';
import { DROP_REASONS } from './drop-reasons.ts';
import type { MessageSender } from './message-sender.ts';
import type { Messenger, SendResult } from './messenger.ts';
import { DONE, giveUp, NOT_OURS, type SendStepResult } from './send-step.ts';
import {
  addToRollup,
  type ChannelHour,
  isAwaited,
  isHourFull,
  isOvertaken,
  type PostEdit,
  pendingPosts,
  postToEdit,
  standingPost,
  type Thread,
  untilWithdrawn,
  withNewest,
  withRolledUp,
} from './thread-post.ts';

/** Stored error of an edit that the platform refuses: the post gets a reply instead, which is not repeated after a crash. */
export const CANNOT_EDIT = 'cannot be edited';
const { withdrawn: WITHDRAWN, gone: GONE, superseded: SUPERSEDED } = DROP_REASONS;

/** Dependencies of a `ChannelSendStep`. */
export interface ChannelSendStepOptions {
  readonly store: ChatStore;
  readonly isPaused: (name: PausableName) => boolean;
  /** Alerts that the channel gets as single posts in a UTC hour. */
  readonly postsPerHour: number;
  readonly clock: Pick<Clock, 'now'>;
}

interface ChannelTarget<View> {
  readonly channel: Channel;
  readonly messenger: Messenger<View>;
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

  get #hour(): ChannelHour {
    return { channel: this.#channel, now: this.#now };
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
    if (message.kind !== 'more_alerts') return this.#send(message);
    return this.#send(await withRolledUp(this.#options.store, this.#hour, message));
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
    if (!(await this.#isNewest(message, thread))) return DONE;
    const { store, postsPerHour } = this.#options;
    if (!(await isHourFull(store, this.#hour, postsPerHour))) return this.#send(message);
    await addToRollup(store, this.#hour, message);
    return DONE;
  }

  /** Of the due posts of a thread only the newest is sent; the others are dropped. */
  async #isNewest(message: PostMessage, thread: Thread): Promise<boolean> {
    const change = superseded(this.#now);
    const waiting = pendingPosts(thread, this.#now);
    const older = waiting.slice(0, -1).map(({ id }) => this.#options.store.giveUp(id, change));
    // An older post that was claimed meanwhile is being sent: this message edits it then.
    const areGivenUp = (await Promise.all(older)).every(Boolean);
    return areGivenUp && waiting.at(-1)?.id === message.id;
  }

  /** A pending post will show the outcome when it is sent; a newer alert waits for it. A deleted post is not changed. */
  async #edit(message: PostEdit): Promise<SendStepResult> {
    const thread = await this.#threadOf(message);
    if (message.kind === 'alert_update') {
      const end = await this.#endOfUpdate(message, thread);
      if (end !== undefined) return end;
    }
    const post = postToEdit(thread, message);
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

  async #change(
    message: PostEdit,
    { thread, post, place }: { readonly thread: Thread; readonly post: PostMessage; readonly place: string },
  ): Promise<SendStepResult> {
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
