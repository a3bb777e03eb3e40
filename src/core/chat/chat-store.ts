import type { Change, OpenDocuments, Where } from '../base/documents/documents.ts';
import { NamedNumbers } from '../base/documents/named-numbers.ts';
import { DAY_MS, type EpochMs } from '../base/time/duration.ts';
import { type ChatDocument, newDocument, toMessage } from './chat-document.ts';
import {
  CHAT_STATES,
  type ChatKind,
  type ChatMessage,
  type ChatState,
  type NewChatMessage,
  type Recipient,
} from './chat-message.ts';
import { ChatReads, type DueQuery } from './chat-reads.ts';

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
  readonly at: EpochMs;
  readonly message: ChatMessage;
}

/** Stored cursors: alerts by id, outcomes by `seq`, exits by number. */
export type ChatCursor = `${'channel' | 'personal'}_${'alerts' | 'results' | 'exits'}`;

/** Retention after the end of a message; posts of alerts stay longer, for outcomes and newer alerts. */
export const CHAT_KEPT_MS = { ended: 30 * DAY_MS, posts: 90 * DAY_MS } as const;

const KEPT_AS_POSTS: readonly ChatKind[] = ['alert', 'alert_update', 'personal_alert'];

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

/** Metrics of the bots and of the chat outbox. */
export interface ChatMetrics {
  chatMessageEnded(state: Exclude<ChatState, 'pending' | 'sending' | 'withdrawn'>): void;
  /** An update from a person is not answered, since too many are waiting. */
  chatUpdateDropped(): void;
}

/** Pending, and surely not sent. */
const UNSENT = { state: 'pending', unsureSince: null } as const;
const WITHDRAWABLE: readonly Where<ChatDocument>[] = [
  { state: { in: ['sent', 'unknown'] } },
  UNSENT,
  { state: 'dropped', sentAt: { gte: 0 } },
];

/** Outbox of messages to people and channels, including those already sent. A message is claimed by one owner at a time. */
export class ChatStore extends ChatReads {
  readonly #cursors: NamedNumbers;
  readonly #onEnded: ChatMetrics['chatMessageEnded'];

  /** `onEnded` is called with the final state of each message that this store sends or gives up. */
  constructor(open: OpenDocuments, onEnded: ChatMetrics['chatMessageEnded'] = () => {}) {
    super(open);
    this.#cursors = new NamedNumbers(open);
    this.#onEnded = onEnded;
  }

  /** Adds the messages whose ids are new. Returns these ids. */
  async add(messages: readonly NewChatMessage[]): Promise<readonly string[]> {
    const added = await this.documents.insertMissing(messages.map(newDocument));
    return added.map(({ id }) => id);
  }

  /** Pending messages of a queue that are due at `now`, by `dueAt`, then by id; at most `limit`. */
  due({ lane, now, limit, after }: DueQuery): Promise<readonly ChatMessage[]> {
    const where = { state: 'pending', lane, dueAt: { lte: now } } as const;
    const beyond = after && { value: after.dueAt, id: after.id };
    return this.find({ where, order: 'dueAt', after: beyond, limit });
  }

  /** False when the message is not pending, for example claimed by another owner. */
  claim(id: string, claim: Pick<ChatClaim, 'owner' | 'at'>): Promise<boolean> {
    return this.#change({ id, state: 'pending' }, { set: { state: 'sending', claim } });
  }

  /** Ends the claim of this owner. False without such a claim; then nothing changes. */
  async finish(id: string, owner: string, change: ChatChange): Promise<boolean> {
    const claimed = { id, state: 'sending', 'claim.owner': owner } as const;
    const isPost = { ...claimed, kind: { in: KEPT_AS_POSTS } };
    if (change.state === 'sent' && (await this.#end(isPost, change, CHAT_KEPT_MS.posts))) return true;
    return this.#end(claimed, change);
  }

  /** Ends a pending message unsent. False when it is not pending, or may have been sent. */
  giveUp(id: string, change: Exclude<ChatChange, { readonly state: 'pending' | 'sent' }>): Promise<boolean> {
    return this.#end(change.state === 'unknown' ? { id, state: 'pending' } : { id, ...UNSENT }, change);
  }

  /** Moves a pending message that was surely not sent, without counting an attempt. False for any other. */
  postpone(id: string, dueAt: EpochMs): Promise<boolean> {
    return this.#change({ id, ...UNSENT }, { set: { dueAt } });
  }

  /**
   * Turns a pending post (`alert`) into an edit of its thread's post (`alert_update`). False when it is not a pending post, or
   * may have been sent.
   */
  makeUpdate(id: string): Promise<boolean> {
    return this.#change({ id, kind: 'alert', ...UNSENT }, { set: { kind: 'alert_update' } });
  }

  /** Marks a sent post as `dropped` that was deleted in its channel. False when it is not a sent post. */
  endGone(id: string, { error, at }: { readonly error: string; readonly at: EpochMs }): Promise<boolean> {
    const dropped = { state: 'dropped', error, endedAt: at, expiresAt: at + CHAT_KEPT_MS.ended } as const;
    return this.#change({ id, state: 'sent' }, { set: dropped });
  }

  /** Withdraws a message that was sent, surely not sent, or of unknown outcome; false for any other. */
  async withdraw(id: string, at: EpochMs): Promise<boolean> {
    const set = { state: 'withdrawn', endedAt: at, expiresAt: at + CHAT_KEPT_MS.posts } as const;
    for (const where of WITHDRAWABLE) if (await this.#change({ ...where, id }, { set })) return true;
    return false;
  }

  /** Messages with a claim. */
  async claims(): Promise<readonly ChatClaim[]> {
    const found = await this.documents.find({ where: { state: 'sending' } });
    return found.flatMap((document) =>
      document.claim === null ? [] : { ...document.claim, message: toMessage(document) },
    );
  }

  /** Messages whose outcome has been unknown since `since` or later, without alerts to people, which their next lists name: newest first. */
  unknown(since: EpochMs, limit: number): Promise<readonly ChatMessage[]> {
    const where = { state: 'unknown', 'facts.isFollow': null, endedAt: { gte: since } } as const;
    return this.find({ where, order: '-endedAt', limit });
  }

  /** Number of messages that are pending, sending or unknown, and of those that have ended in another state since then. */
  async counts(since: EpochMs): Promise<Readonly<Record<ChatState, number>>> {
    const counts = CHAT_STATES.map(async (state) => {
      const isOpen = state === 'pending' || state === 'sending' || state === 'unknown';
      return [state, await this.documents.count({ state, endedAt: isOpen ? undefined : { gte: since } })];
    });
    return Object.fromEntries(await Promise.all(counts));
  }

  /** Removes all messages to these recipients. Returns how many. */
  removeOf(recipients: readonly Recipient[]): Promise<number> {
    return this.documents.delete({ recipient: { in: recipients } });
  }

  /** Removes messages whose retention is over (`CHAT_KEPT_MS`). At most `limit`; returns how many. */
  async prune(now: EpochMs, limit: number): Promise<number> {
    const old = await this.documents.find({ where: { expiresAt: { lt: now } }, order: 'expiresAt', limit });
    return this.documents.delete({ id: { in: old.map(({ id }) => id) } });
  }

  /** Null before the first `advance`. */
  cursor(name: ChatCursor): Promise<number | null> {
    return this.#cursors.read(name);
  }

  /** Monotonic: a lower position changes nothing. */
  advance(name: ChatCursor, position: number): Promise<void> {
    return this.#cursors.raise(name, position);
  }

  async #end(where: Where<ChatDocument>, change: ChatChange, keptMs?: number): Promise<boolean> {
    const isDone = await this.#change(where, changeOf(change, keptMs));
    if (isDone && change.state !== 'pending') this.#onEnded(change.state);
    return isDone;
  }

  async #change(where: Where<ChatDocument>, change: Change<ChatDocument>): Promise<boolean> {
    return (await this.documents.update(where, change)) === 1;
  }
}

function changeOf(change: ChatChange, keptMs: number = CHAT_KEPT_MS.ended): Change<ChatDocument> {
  const inc = { attempts: Number(change.state !== 'dropped' && change.state !== 'folded') };
  if (change.state === 'pending') return { set: { ...change, claim: null }, inc };
  const { at, ...end } = change;
  const sent = change.state === 'sent' ? { sentAt: at, error: null, unsureSince: null } : {};
  return { set: { ...end, ...sent, endedAt: at, expiresAt: at + keptMs, claim: null }, inc };
}
