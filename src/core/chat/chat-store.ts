import type { EpochMs } from '../trade.ts';
import type { Channel, ChatMessage, ChatState, PostMessage } from './chat-message.ts';
import type { ChatOutbox } from './chat-outbox.ts';
import type { ChatQueue } from './chat-queue.ts';

/** How a turn of a message ended. */
export type ChatChange =
  /** To be tried again; one more attempt. */
  | { readonly state: 'pending'; readonly dueAt: EpochMs; readonly error: string | null }
  | { readonly state: 'sent'; readonly place: string; readonly at: EpochMs }
  | {
      readonly state: 'failed' | 'dropped' | 'folded';
      readonly error: string | null;
      readonly at: EpochMs;
    };

/** A message that is being sent, or was when its process died. */
export interface ChatClaim {
  readonly owner: string;
  readonly claimedAt: EpochMs;
  readonly message: ChatMessage;
}

/** Where a walk through the messages of a queue goes on: after this one. */
export type ChatPageCursor = Pick<ChatMessage, 'id' | 'dueAt'>;

/** What a process went through, by name: alerts by their ids, outcomes by their `seq`. */
export type ChatCursor = 'channel_posts' | 'channel_results';

/** The outbox of messages to people and channels, and what was sent. A message is claimed by one owner at a time. */
export interface ChatStore extends ChatOutbox {
  byId(id: string): Promise<ChatMessage | null>;
  /** Pending ones of a queue that are due at the moment, the longest due first, ties by id, at most `limit`. */
  due(query: {
    lane: ChatQueue;
    now: EpochMs;
    limit: number;
    after?: ChatPageCursor;
  }): Promise<readonly ChatMessage[]>;
  /** False when it is not pending: somebody else was quicker. */
  claim(id: string, by: { readonly owner: string; readonly at: EpochMs }): Promise<boolean>;
  /** Ends this owner's turn. False when it is not (any more) its claim; then nothing changes. */
  finish(id: string, owner: string, change: ChatChange): Promise<boolean>;
  /** Ends a pending one that nobody is to send. False when it is not pending. */
  giveUp(id: string, change: Extract<ChatChange, { readonly at: EpochMs }>): Promise<boolean>;
  /** Makes a pending post (`alert`) an edit of its thread's post (`alert_update`). False when it is no pending post. */
  makeUpdate(id: string): Promise<boolean>;
  /** Ends a post that was sent (`dropped`) and is not in its channel any more. False when it is no such post. */
  endGone(id: string, change: { readonly error: string; readonly at: EpochMs }): Promise<boolean>;
  /** Takes back a message that was sent, also one that is gone, or is pending. False when it is neither. */
  withdraw(id: string, at: EpochMs): Promise<boolean>;
  /** What is being sent, oldest claim first, at most `limit`. */
  claims(limit: number): Promise<readonly ChatClaim[]>;
  /** How many alerts a channel got one by one since the moment, those that were withdrawn included. */
  countPosts(channel: Channel, since: EpochMs): Promise<number>;
  /** The alerts that were folded in a channel at or after `from` and before `until`, ascending, at most `limit`. */
  rolledUp(query: {
    channel: Channel;
    from: EpochMs;
    until: EpochMs;
    limit: number;
  }): Promise<readonly number[]>;
  /** The post or update of an alert in each channel, whatever became of it, by id. */
  postsOf(alertId: number): Promise<readonly PostMessage[]>;
  /** The posts and updates of a thread in a channel, whatever became of them, the oldest alert first. */
  postsOfThread(query: { channel: Channel; threadId: number }): Promise<readonly PostMessage[]>;
  /** The posts of a market's alerts that are pending, being sent or sent, by id, at most `limit`. */
  postsOfMarket(query: { marketId: string; limit: number; after?: string }): Promise<readonly ChatMessage[]>;
  /** Removes every message for one of these. Returns how many. */
  removeOf(recipients: readonly ChatMessage['recipient'][]): Promise<number>;
  /**
   * Removes what ended before the moment, but alerts that were posted, or taken back, only when that was before
   * `postsBefore`: their outcomes and newer alerts are still to be shown, or not. At most `limit`; returns how many.
   */
  prune(query: { endedBefore: EpochMs; postsBefore: EpochMs; limit: number }): Promise<number>;
  /** How many there are in each state. */
  counts(): Promise<Readonly<Record<ChatState, number>>>;
  /** Null before the first `advance`. */
  cursor(name: ChatCursor): Promise<number | null>;
  /** Never goes back. */
  advance(name: ChatCursor, position: number): Promise<void>;
}
