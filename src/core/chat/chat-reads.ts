import type { Documents, OpenDocuments, Query } from '../base/documents/documents.ts';
import type { EpochMs } from '../base/time/duration.ts';
import { CHAT_MESSAGES, type ChatDocument, toMessage } from './chat-document.ts';
import {
  alertPostIds,
  type Channel,
  type ChatMessage,
  type ChatQueue,
  isPost,
  type PersonalAlertMessage,
  type PostMessage,
  type Recipient,
} from './chat-message.ts';

/** `after`: only messages beyond this one. */
export interface DueQuery {
  readonly lane: ChatQueue;
  readonly now: EpochMs;
  readonly limit: number;
  readonly after?: Pick<ChatMessage, 'dueAt' | 'id'> | undefined;
}

/** A channel's post of an alert, an update of one, or an edit of one (`postEdit`). */
export type ThreadMessage = ChatMessage & { readonly kind: 'alert' | 'alert_update' | 'alert_result' };

interface ThreadQuery {
  readonly channel: Channel;
  readonly threadId: number;
}

interface ListQuery {
  readonly recipient: Recipient;
  readonly after: EpochMs;
  readonly until: EpochMs;
}

/** What was sent, may have been, or will be. */
const TOLD = { in: ['pending', 'sending', 'sent', 'unknown'] } as const;
const FOLLOW_KINDS = { in: ['personal_alert', 'personal_exit', 'personal_result', 'personal_list'] } as const;

/** What became of the messages to channels and people, by what they are about. */
export class ChatReads {
  protected readonly documents: Documents<ChatDocument>;

  constructor(open: OpenDocuments) {
    this.documents = open(CHAT_MESSAGES);
  }

  async byId(id: string): Promise<ChatMessage | null> {
    const found = await this.documents.get(id);
    return found && toMessage(found);
  }

  /** The post or update of an alert in each channel, in any state, by id. */
  postsOf(alertId: number): Promise<readonly PostMessage[]> {
    return this.find({ where: { id: { in: alertPostIds(alertId) } }, order: 'id' });
  }

  /** Posts of a thread in a channel, their updates and edits, in any state, the oldest alert first. */
  async messagesOfThread({ channel, threadId }: ThreadQuery): Promise<readonly ThreadMessage[]> {
    const where = { 'facts.threadId': threadId, recipient: `channel:${channel}` };
    const found = await this.find<ThreadMessage>({ where });
    return found.toSorted((a, b) => a.facts.alertId - b.facts.alertId);
  }

  /** The same without the edits. */
  async postsOfThread(query: ThreadQuery): Promise<readonly PostMessage[]> {
    return (await this.messagesOfThread(query)).filter(isPost);
  }

  /** Pending, claimed and sent posts of a market's alerts, in any order. */
  postsOfMarket(marketId: string): Promise<readonly ChatMessage[]> {
    const state = { in: ['pending', 'sending', 'sent'] } as const;
    return this.find({ where: { 'facts.marketId': marketId, kind: 'alert', state } });
  }

  /** Posts in a channel that were decided either way, with `createdAt` after the moment; in any order. */
  async decided(channel: Channel, after: EpochMs): Promise<readonly PostMessage[]> {
    const where = { recipient: `channel:${channel}`, kind: 'alert', createdAt: { gt: after } };
    return (await this.find<PostMessage>({ where })).filter(isDecided);
  }

  /** Posts never attempted with `createdAt` up to `until`: by `createdAt`, then by alert. */
  async undecided(channel: Channel, until: EpochMs): Promise<readonly PostMessage[]> {
    const waiting = { state: 'pending', kind: 'alert', attempts: 0 } as const;
    const where = { ...waiting, lane: `channel:${channel}`, dueAt: { lte: until } };
    const found = await this.find<PostMessage>({ where });
    return found.toSorted((a, b) => a.createdAt - b.createdAt || a.facts.alertId - b.facts.alertId);
  }

  /** Threads with alerts `folded` from `from` to before `until`, that of the highest score first, then of the oldest alert. */
  async foldedThreads(channel: Channel, from: EpochMs, until: EpochMs): Promise<readonly number[]> {
    const endedAt = { gte: from, lt: until };
    const where = { recipient: `channel:${channel}`, state: 'folded', endedAt } as const;
    const found = await this.find<PostMessage>({ where });
    const facts = found
      .map((post) => post.facts)
      .toSorted((a, b) => b.score - a.score || a.alertId - b.alertId);
    return [...new Set(facts.map(({ threadId }) => threadId))];
  }

  /** Due messages of a queue to a person, the highest score first, then the oldest; those without a score last. At most `limit`. */
  async dueOf(
    recipient: Recipient,
    { lane, now, limit }: Omit<DueQuery, 'after'>,
  ): Promise<readonly ChatMessage[]> {
    // With the queue, the index of all that is due in it would be chosen.
    const pending = await this.documents.find({ where: { recipient, state: 'pending' } });
    return pending
      .filter((message) => message.lane === lane && message.dueAt <= now)
      .map(toMessage)
      .toSorted((a, b) => scoreOf(b) - scoreOf(a) || a.createdAt - b.createdAt)
      .slice(0, limit);
  }

  /** Alerts that a person was, or may have been, told about at `since` or later, and those being sent or retried. */
  async toldTo(recipient: Recipient, since: EpochMs): Promise<readonly PersonalAlertMessage[]> {
    const of = { recipient, kind: 'personal_alert' } as const;
    // Before those that ended, which a message that ends meanwhile is among.
    const open = await this.find<PersonalAlertMessage>({
      where: { ...of, state: { in: ['pending', 'sending'] }, endedAt: null },
    });
    const tried = open.filter(({ state, attempts }) => state === 'sending' || attempts > 0);
    const ended = await this.find<PersonalAlertMessage>({
      where: { ...of, state: { in: ['sent', 'unknown'] }, endedAt: { gte: since } },
    });
    return [...new Map([...tried, ...ended].map((message) => [message.id, message])).values()];
  }

  /** Alerts that ended as `folded` or `unknown` after `after` and up to `until`, the highest score first, then the newest. */
  async unlisted(query: ListQuery): Promise<readonly PersonalAlertMessage[]> {
    const found = await this.find<PersonalAlertMessage>({ where: whereUnlisted(query) });
    return found.toSorted((a, b) => b.facts.score - a.facts.score || b.facts.alertId - a.facts.alertId);
  }

  async hasUnlisted(query: ListQuery): Promise<boolean> {
    return (await this.find({ where: whereUnlisted(query), limit: 1 })).length > 0;
  }

  /** The newest list of a person, created before the moment, that was sent, may have been, or will be. */
  async lastList(recipient: Recipient, createdBefore: EpochMs): Promise<ChatMessage | null> {
    const where = {
      recipient,
      kind: 'personal_list',
      state: TOLD,
      createdAt: { lt: createdBefore },
    } as const;
    const [found] = await this.find({ where, order: '-createdAt', limit: 1 });
    return found ?? null;
  }

  /** Whether anything about their follows was sent to a person at `since` or later. */
  async wasTold(recipient: Recipient, since: EpochMs): Promise<boolean> {
    const where = { recipient, kind: FOLLOW_KINDS, state: 'sent', endedAt: { gte: since } } as const;
    return (await this.find({ where, limit: 1 })).length > 0;
  }

  /** Alerts of a thread to people that were, may have been or will be sent, ordered by recipient, then by id; at most `limit`. */
  personalOfThread(
    threadId: number,
    limit: number,
    after?: Pick<ChatMessage, 'recipient' | 'id'>,
  ): Promise<readonly PersonalAlertMessage[]> {
    const where = { 'facts.threadId': threadId, kind: 'personal_alert', state: TOLD } as const;
    const beyond = after && { value: after.recipient, id: after.id };
    return this.find({ where, order: 'recipient', after: beyond, limit });
  }

  /** Number of results of a thread that were sent to a person for changes before `seq`. */
  countResultsBefore(recipient: Recipient, threadId: number, seq: number): Promise<number> {
    const result = { kind: 'personal_result', state: 'sent', 'facts.seq': { lt: seq } } as const;
    return this.documents.count({ 'facts.threadId': threadId, recipient, ...result });
  }

  /** `Message`: of the kinds that the query finds. */
  protected async find<Message extends ChatMessage>(query: Query<ChatDocument>): Promise<readonly Message[]> {
    return (await this.documents.find(query)).map(toMessage) as Message[];
  }
}

function whereUnlisted({ recipient, after, until }: ListQuery) {
  const state = { in: ['folded', 'unknown'] } as const;
  return { recipient, kind: 'personal_alert', state, endedAt: { gt: after, lte: until } };
}

const DECIDED: ReadonlySet<string> = new Set(['sending', 'sent', 'unknown', 'folded', 'failed']);

function isDecided({ state, attempts, sentAt }: PostMessage): boolean {
  return DECIDED.has(state) || (state === 'pending' && attempts > 0) || sentAt !== null;
}

function scoreOf({ facts }: ChatMessage): number {
  return 'score' in facts ? facts.score : Number.NEGATIVE_INFINITY;
}
