import type { Clock } from '../base/time/clock.ts';
import type { EpochMs } from '../base/time/duration.ts';
import type { PausableName } from '../operations/pause-flags.ts';
import { type Channel, type ChatMessage, isTooOld, type PostMessage } from './chat-message.ts';
import { type ChatStore, MESSAGE_DROP_REASONS } from './chat-store.ts';
import { DONE, type MessageSender, type SendStepResult } from './message-sender.ts';
import type { Messenger } from './messenger.ts';
import { isChosen, undecidedBefore, withUnposted } from './post-choice.ts';
import { giveUp, NOT_OURS } from './send-step.ts';
import {
  isAwaited,
  isInFlight,
  isOvertaken,
  newerPosts,
  type PostEdit,
  postToEdit,
  shownWith,
  standingPost,
  type Thread,
  untilWithdrawn,
  withNewest,
} from './thread-post.ts';

/** Stored error of an edit that the platform refuses: the post gets a reply instead, which is not repeated after a crash. */
export const CANNOT_EDIT = 'cannot be edited';
const { withdrawn: WITHDRAWN, gone: GONE, superseded: SUPERSEDED } = MESSAGE_DROP_REASONS;

/** Dependencies of a `ChannelSendStep`. */
export interface ChannelSendStepOptions {
  readonly store: ChatStore;
  readonly isPaused: (name: PausableName) => boolean;
  /** Posts of a channel in 24 hours. */
  readonly postsPerDay: number;
  readonly clock: Pick<Clock, 'now'>;
}

/** What an edit changes: a message at a place, which shows the newest alert of the thread. */
interface EditTarget {
  readonly thread: Thread;
  readonly post: PostMessage;
  /** Place of the post, or of an answer to it. */
  readonly place: string;
}

/** Handles the messages to one channel. */
export class ChannelSendStep<View> {
  readonly #channel: Channel;
  readonly #messenger: Messenger<View>;
  readonly #sender: MessageSender<View>;
  readonly #options: ChannelSendStepOptions;

  constructor(
    { channel, messenger }: { readonly channel: Channel; readonly messenger: Messenger<View> },
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

  get #choice() {
    return { ...this.#options, channel: this.#channel };
  }

  readonly take = async (message: ChatMessage): Promise<SendStepResult> => {
    const isOld = isTooOld(message, this.#now);
    if (isOld && message.kind !== 'alert') return this.#giveUp(message, 'too old');
    if (!isOld && this.#options.isPaused('posts')) return NOT_OURS;
    // It may be in the channel, so no edit, newer alert or list takes its place.
    if (message.kind === 'alert' && message.unsureSince !== null) return this.#sendAgain(message);
    if (message.kind === 'alert') return this.#post(message, isOld);
    if (message.kind === 'alert_update' || message.kind === 'alert_result') return this.#edit(message);
    if (message.kind !== 'daily_digest') return this.#send(message);
    return this.#send(await withUnposted(this.#choice, message, this.#now));
  };

  #send(message: ChatMessage): Promise<SendStepResult> {
    const messenger = this.#messenger;
    return this.#sender.send({
      message,
      messenger,
      call: (view, signal) => messenger.send('channel', view, signal, message.id),
    });
  }

  /** Shows what it showed when it was first tried, since the posts of those alerts have ended. */
  async #sendAgain(message: PostMessage): Promise<SendStepResult> {
    const shown = shownWith(await this.#threadOf(message), message);
    return this.#send(showing(message, shown));
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
    const earlier = await undecidedBefore(this.#choice, message);
    if (earlier !== undefined) {
      // The best of a burst is posted first, so the others wait for it.
      if (earlier.createdAt > this.#now) return NOT_OURS;
      const step = await this.take(earlier);
      return step.isOurs && step.pauseMs === 0 ? this.#post(message, isOld) : step;
    }
    if (await isChosen(this.#choice, message)) return this.#sendFirst(message, thread);
    await this.#options.store.giveUp(message.id, { state: 'folded', error: null, at: this.#now });
    return DONE;
  }

  /** Sends the post of a thread, which shows the newest alert that is due. The posts of the alerts in between are not needed. */
  async #sendFirst(message: PostMessage, thread: Thread): Promise<SendStepResult> {
    const { store } = this.#options;
    const newer = newerPosts(thread, message, this.#now);
    for (const { id, state } of newer) {
      if (state !== 'pending') continue;
      // An edit, so that withdrawing that alert finds the post of its thread.
      await store.makeUpdate(id);
      await store.giveUp(id, { state: 'dropped', error: MESSAGE_DROP_REASONS.shownByPost, at: this.#now });
    }
    return this.#send(showing(message, newer));
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
      return this.#change(message, { thread, post, place: answer });
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
    await this.#options.store.giveUp(message.id, { state: 'dropped', error: SUPERSEDED, at: this.#now });
    return DONE;
  }

  /** A post that cannot be edited gets a reply; an answer to a post that cannot be edited gets none: the edit fails. */
  #change(message: PostEdit, { thread, post, place }: EditTarget): Promise<SendStepResult> {
    const isReply = message.error === CANNOT_EDIT;
    const isOfPost = place === post.place;
    const messenger = this.#messenger;
    return this.#sender.send({
      message: withNewest(message, { thread, post, now: this.#now }),
      messenger,
      call: (view, signal) =>
        isReply ? messenger.reply(place, view, signal, message.id) : messenger.edit(place, view, signal),
      isRepeatable: !isReply,
      // The retry of a reply is a reply again.
      ...(isReply ? { retryError: CANNOT_EDIT } : {}),
      override: async (result) => {
        if (result.ok) return undefined;
        const at = this.#now;
        // The post first: after a crash here the edit is repeated and finds no post to change.
        if (result.reason === 'gone' && isOfPost)
          await this.#options.store.endGone(post.id, { error: GONE, at });
        if (result.reason === 'gone') return { state: 'dropped', error: GONE, at };
        const getsReply = result.reason === 'refused' && isOfPost && !isReply;
        return getsReply ? { state: 'pending', dueAt: at, error: CANNOT_EDIT } : undefined;
      },
    });
  }

  /** The messages of the thread in this channel, up to the first that was withdrawn. */
  async #threadOf({ facts: { threadId } }: PostMessage | PostEdit): Promise<Thread> {
    return untilWithdrawn(await this.#options.store.postsOfThread({ channel: this.#channel, threadId }));
  }
}

/** The post with the newest of these alerts. */
function showing(message: PostMessage, newer: Thread): PostMessage {
  const { alertId } = (newer.at(-1) ?? message).facts;
  return { ...message, facts: { ...message.facts, alertId } };
}

function isIn(thread: Thread, { id }: ChatMessage): boolean {
  return thread.some((message) => message.id === id);
}
