import { DAY_MS, type EpochMs } from '../base/time/duration.ts';
import type {
  Channel,
  ChatMessage,
  ChatQueue,
  ChatState,
  NewChatMessage,
  PersonalAlertMessage,
  PersonalQueue,
  PostMessage,
  Recipient,
} from './chat-message.ts';

/** State of a message after it was handled. */
export type ChatChange =
  /** Will be retried; counts one attempt. `unsureSince`: an attempt may have sent it; if absent, the stored value is kept. */
  | {
      readonly state: 'pending';
      readonly dueAt: EpochMs;
      readonly error: string | null;
      readonly unsureSince?: EpochMs;
    }
  | { readonly state: 'sent'; readonly place: string; readonly at: EpochMs }
  | {
      readonly state: 'failed' | 'dropped' | 'folded';
      readonly error: string | null;
      readonly at: EpochMs;
    }
  | {
      readonly state: 'unknown';
      readonly error: string | null;
      readonly at: EpochMs;
      readonly unsureSince: EpochMs;
    };

/** A message that a process is sending, or was sending when it died. */
export interface ChatClaim {
  readonly owner: string;
  readonly claimedAt: EpochMs;
  readonly message: ChatMessage;
}

/** Cursor of a pass through a queue: the next page begins after this message. */
export type ChatPageCursor = Pick<ChatMessage, 'id' | 'dueAt'>;

/** A post for which it was decided whether it is among the posts of its day. */
export interface DecidedPost {
  readonly createdAt: EpochMs;
  readonly score: number;
  readonly threadId: number;
  /**
   * Whether it is, was, or may be in the channel; this includes withdrawn, deleted and retried posts and those of unknown
   * outcome.
   */
  readonly isPosted: boolean;
}

/** An alert that is not among the posts of its day. */
export interface FoldedAlert {
  readonly alertId: number;
  readonly threadId: number;
}

/** Stored cursors: alerts by id, outcomes by `seq`, exits by number. */
export type ChatCursor = `${'channel' | 'personal'}_${'alerts' | 'results' | 'exits'}`;

/** Accepts messages to people and channels, which the bots send. */
export interface ChatOutbox {
  /** Adds the messages whose ids are new. Returns these ids. */
  add(messages: readonly NewChatMessage[]): Promise<readonly string[]>;
}

/** What became of the messages about a person's follows. */
export interface PersonalReads {
  /** Due messages of a queue to a person, the highest score first, then the oldest; those without a score last. At most `limit`. */
  dueOf(query: {
    recipient: Recipient;
    lane: PersonalQueue;
    now: EpochMs;
    limit: number;
  }): Promise<readonly ChatMessage[]>;
  /**
   * Alerts that a person was, or may have been, told about at `since` or later, and those being sent or retried; only
   * of those created after `createdAfter`.
   */
  toldTo(query: {
    recipient: Recipient;
    since: EpochMs;
    createdAfter: EpochMs;
  }): Promise<readonly PersonalAlertMessage[]>;
  /** Alerts that ended as `folded` or `unknown` after `after` and up to `until`, the highest score first, then the newest; at most `limit`. */
  unlisted(query: {
    recipient: Recipient;
    after: EpochMs;
    until: EpochMs;
    limit: number;
  }): Promise<readonly PersonalAlertMessage[]>;
  /** Alerts of a thread to people that were, may have been or will be sent, ordered by recipient, then by id; at most `limit`. */
  personalOfThread(query: {
    threadId: number;
    limit: number;
    after?: Pick<ChatMessage, 'recipient' | 'id'> | undefined;
  }): Promise<readonly PersonalAlertMessage[]>;
  /** The newest list of a person, created before the moment, that was sent, may have been, or will be. */
  lastList(recipient: Recipient, createdBefore: EpochMs): Promise<ChatMessage | null>;
  /** Whether anything about their follows was sent to a person at `since` or later. */
  wasTold(recipient: Recipient, since: EpochMs): Promise<boolean>;
}

/** Outbox of messages to people and channels, including those already sent. A message is claimed by one owner at a time. */
export interface ChatStore extends ChatOutbox, PersonalReads {
  byId(id: string): Promise<ChatMessage | null>;
  /** The existing ones, in any order. */
  byIds(ids: readonly string[]): Promise<readonly ChatMessage[]>;
  /** Pending messages of a queue that are due at `now`, by `dueAt`, then by id; at most `limit`. */
  due(query: {
    lane: ChatQueue;
    now: EpochMs;
    limit: number;
    after?: ChatPageCursor;
  }): Promise<readonly ChatMessage[]>;
  /** False when the message is not pending, for example claimed by another owner. */
  claim(id: string, by: { readonly owner: string; readonly at: EpochMs }): Promise<boolean>;
  /** Ends the claim of this owner. False without such a claim; then nothing changes. */
  finish(id: string, owner: string, change: ChatChange): Promise<boolean>;
  /** Ends a pending message unsent. False when it is not pending, or may have been sent. */
  giveUp(id: string, change: Extract<ChatChange, { readonly at: EpochMs }>): Promise<boolean>;
  /** Moves a pending message that was surely not sent, without counting an attempt. False for any other. */
  postpone(id: string, dueAt: EpochMs): Promise<boolean>;
  /**
   * Turns a pending post (`alert`) into an edit of its thread's post (`alert_update`). False when it is not a pending post, or
   * may have been sent.
   */
  makeUpdate(id: string): Promise<boolean>;
  /** Marks a sent post as `dropped` that was deleted in its channel. False when it is not a sent post. */
  endGone(id: string, change: { readonly error: string; readonly at: EpochMs }): Promise<boolean>;
  /** Withdraws a message that was sent, surely not sent, or of unknown outcome; false for any other. */
  withdraw(id: string, at: EpochMs): Promise<boolean>;
  /** Messages whose outcome has been unknown since `since` or later, without alerts to people, which their next lists name: newest first. */
  unknown(query: { since: EpochMs; limit: number }): Promise<readonly ChatMessage[]>;
  /** Messages with a claim, oldest claim first, at most `limit`. */
  claims(limit: number): Promise<readonly ChatClaim[]>;
  /** Posts in a channel that were decided either way, with `createdAt` after the moment; in any order. */
  decided(channel: Channel, after: EpochMs): Promise<readonly DecidedPost[]>;
  /** Posts never attempted with `createdAt` up to `until`: by `createdAt`, then by alert; at most `limit`. */
  undecided(query: { channel: Channel; until: EpochMs; limit: number }): Promise<readonly PostMessage[]>;
  /** Alerts `folded` from `from` to before `until`, highest score first, then oldest; at most `limit`. */
  folded(query: {
    channel: Channel;
    from: EpochMs;
    until: EpochMs;
    limit: number;
  }): Promise<readonly FoldedAlert[]>;
  /** The post or update of an alert in each channel, in any state, by id. */
  postsOf(alertId: number): Promise<readonly PostMessage[]>;
  /** Posts and updates of a thread in a channel, in any state, the oldest alert first. */
  postsOfThread(query: { channel: Channel; threadId: number }): Promise<readonly PostMessage[]>;
  /** The edits of the post of an alert (`postEdit`), in any state and channel. */
  editsOf(alertId: number): Promise<readonly ChatMessage[]>;
  /** Pending, claimed and sent posts of a market's alerts, by id, at most `limit`. */
  postsOfMarket(query: { marketId: string; limit: number; after?: string }): Promise<readonly ChatMessage[]>;
  /** Number of results of a thread that were sent to a person for changes before `seq`. */
  countResultsBefore(query: { recipient: Recipient; threadId: number; seq: number }): Promise<number>;
  /** Removes all messages to these recipients. Returns how many. */
  removeOf(recipients: readonly ChatMessage['recipient'][]): Promise<number>;
  /**
   * Removes messages that ended before `endedBefore`; sent and withdrawn posts only when they ended before `postsBefore`,
   * as outcomes and newer alerts may still edit them. At most `limit`; returns how many.
   */
  prune(query: { endedBefore: EpochMs; postsBefore: EpochMs; limit: number }): Promise<number>;
  /** Number of messages that are pending, sending or unknown, and of those that have ended in another state since then. */
  counts(since: EpochMs): Promise<Readonly<Record<ChatState, number>>>;
  /** Null before the first `advance`. */
  cursor(name: ChatCursor): Promise<number | null>;
  /** Monotonic: a lower position changes nothing. */
  advance(name: ChatCursor, position: number): Promise<void>;
}

/** Retention after the end of a message; posts of alerts stay longer, for outcomes and newer alerts. */
export const CHAT_KEPT_MS = { ended: 30 * DAY_MS, posts: 90 * DAY_MS } as const;

/** Stored errors of messages that were dropped. */
export const MESSAGE_DROP_REASONS = {
  withdrawn: 'its thread was withdrawn',
  superseded: 'a newer alert of its thread takes its place',
  nothingToSay: 'nothing to say',
  shownByCluster: 'shown by the post of its cluster',
  /** The post of its thread showed this alert from the start. */
  shownByPost: 'shown by the post of its thread',
  /** The person was not sent the alert that it is about. */
  notTold: 'its alert was not sent',
  /** The post to edit was deleted on the platform. */
  gone: 'the post is gone',
} as const;

/** Wraps a store so that messages ended by this process are counted by their final state. */
export function withMessageMetrics(
  store: ChatStore,
  { chatMessageEnded }: Pick<ChatMetrics, 'chatMessageEnded'>,
): ChatStore {
  return {
    ...store,
    async finish(id, owner, change) {
      const isDone = await store.finish(id, owner, change);
      if (isDone && change.state !== 'pending') chatMessageEnded(change.state);
      return isDone;
    },
    async giveUp(id, change) {
      const isDone = await store.giveUp(id, change);
      if (isDone) chatMessageEnded(change.state);
      return isDone;
    },
  };
}

/** Metrics of the bots and of the chat outbox. */
export interface ChatMetrics {
  chatMessageEnded(state: Exclude<ChatState, 'pending' | 'sending' | 'withdrawn'>): void;
  /** An update from a person is not answered, since too many are waiting. */
  chatUpdateDropped(): void;
}
