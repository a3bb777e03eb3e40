import type { Alert } from '../alerts/alert.ts';
import type { Exit } from '../alerts/exits/exit.ts';
import type { Exits } from '../alerts/exits/exits.ts';
import type { Feed } from '../alerts/ledger/feed.ts';
import type { MarketSettlement } from '../alerts/settlement.ts';
import type { Settlements } from '../alerts/settlements/settlements.ts';
import { FailureLog } from '../base/async/failure-log.ts';
import { repeat, untilAborted } from '../base/async/repeat.ts';
import type { Logger } from '../base/logger.ts';
import type { Clock } from '../base/time/clock.ts';
import { HOUR_MS, SECOND_MS } from '../base/time/duration.ts';
import type { NewChatMessage } from './chat-message.ts';
import type { ChatCursor, ChatStore } from './chat-store.ts';

/** How often outcomes and exits are looked for. */
const SWEEP_EVERY_MS = 5 * SECOND_MS;
const CHANGES_PER_PAGE = 100;
const MESSAGES_PER_BATCH = 500;

/** An outbox with the cursors of what fills it. */
export type CursorOutbox = Pick<ChatStore, 'add' | 'cursor' | 'advance'>;

/** Dependencies of `LedgerMessages`. */
export interface LedgerMessagesOptions {
  readonly store: CursorOutbox;
  readonly feed: Pick<Feed, 'subscribe'>;
  readonly settlements: Pick<Settlements, 'after' | 'last'>;
  readonly exits: Pick<Exits, 'after' | 'last'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  /** Called when messages were added. */
  readonly wake: () => void;
}

/** Which messages the events of the ledger cause: with deterministic ids, as those of an event may be asked for again. */
interface LedgerMessagesPlan {
  /** Whose cursors are used. */
  readonly of: 'channel' | 'personal';
  /** Puts messages of alerts into the outbox, and returns how many are new. Idempotent. */
  readonly addAlerts: (alerts: readonly Alert[]) => Promise<number>;
  /** The next outcomes that messages may be about, ascending, at most `limit`. */
  readonly settlementsAfter: (seq: number, limit: number) => Promise<readonly MarketSettlement[]>;
  readonly ofSettlement: (settlement: MarketSettlement) => Promise<readonly NewChatMessage[]>;
  /** The next exits that messages may be about, ascending, at most `limit`. */
  readonly exitsAfter: (number: number, limit: number) => Promise<readonly Exit[]>;
  readonly ofExit: (exit: Exit) => Promise<readonly NewChatMessage[]>;
}

/** Changes of one kind, by ascending numbers, and the messages that each causes. */
interface Sweep<Change> {
  readonly after: (number: number, limit: number) => Promise<readonly Change[]>;
  readonly numberOf: (change: Change) => number;
  readonly messagesOf: (change: Change) => Promise<readonly NewChatMessage[]>;
}

/** Puts messages about alerts, and later their exits and outcomes, into the outbox. Idempotent; what was missed is added later. */
export class LedgerMessages {
  readonly #options: LedgerMessagesOptions;
  readonly #plan: LedgerMessagesPlan;
  readonly #stop = new AbortController();
  readonly #caughtUp = Promise.withResolvers<void>();
  #handled = 0;
  #adding: Promise<void> = Promise.resolve();
  #sweeping: Promise<unknown> = Promise.resolve();

  constructor(options: LedgerMessagesOptions, plan: LedgerMessagesPlan) {
    this.#options = options;
    this.#plan = plan;
  }

  /** The last alert whose messages are in the outbox. */
  get handled(): number {
    return this.#handled;
  }

  /**
   * Subscribes to the feed after the last handled alert; the first time, after `position`, the end of the ledger. Sweeps
   * begin when all alerts up to there are handled: they look for the messages of these.
   */
  async start(position: number): Promise<void> {
    const { store, feed, settlements, exits } = this.#options;
    const { of, settlementsAfter, ofSettlement, exitsAfter, ofExit } = this.#plan;
    const cursor = await store.cursor(`${of}_alerts`);
    if (cursor === null) await store.advance(`${of}_alerts`, position);
    const seq = await store.cursor(`${of}_results`);
    if (seq === null) await store.advance(`${of}_results`, await settlements.last());
    const exit = await store.cursor(`${of}_exits`);
    if (exit === null) await store.advance(`${of}_exits`, await exits.last());
    this.#setHandled(cursor ?? position, position);
    const stop = feed.subscribe(cursor ?? position, (alerts) => {
      this.#adding = this.#add(alerts, position);
      return this.#adding;
    });
    this.#stop.signal.addEventListener('abort', stop);
    const numberOf = ({ log }: MarketSettlement) => log.seq;
    const results = { after: settlementsAfter, numberOf, messagesOf: ofSettlement };
    const sales = { after: exitsAfter, numberOf: (one: Exit) => one.number, messagesOf: ofExit };
    this.#sweeping = Promise.all([this.#sweep(`${of}_results`, results), this.#sweep(`${of}_exits`, sales)]);
  }

  async close(): Promise<void> {
    this.#stop.abort();
    // The feed has logged a failure of adding, and each sweep its own.
    await Promise.allSettled([this.#adding, this.#sweeping]);
  }

  async #add(alerts: readonly Alert[], position: number): Promise<void> {
    const { store, wake } = this.#options;
    if ((await this.#plan.addAlerts(alerts.filter(isFoundInTime))) > 0) wake();
    const last = alerts.at(-1);
    if (last === undefined) return;
    await store.advance(`${this.#plan.of}_alerts`, last.id);
    this.#setHandled(last.id, position);
  }

  #setHandled(id: number, position: number): void {
    this.#handled = id;
    if (id >= position) this.#caughtUp.resolve();
  }

  async #sweep<Change>(cursor: ChatCursor, sweep: Sweep<Change>): Promise<void> {
    const { store, clock, logger, wake } = this.#options;
    const { signal } = this.#stop;
    const run = async () => {
      if ((await sweepChanges(store, cursor, { ...sweep, signal })) > 0) wake();
    };
    await Promise.race([this.#caughtUp.promise, untilAborted(signal)]);
    await repeat(run, {
      clock,
      signal,
      intervalMs: SWEEP_EVERY_MS,
      failures: new FailureLog(logger, `${cursor.replace('_', ' ')} failed; retrying in 5 s`),
    });
  }
}

/** Puts into the outbox what follows from the changes since the last sweep; returns how many messages are new. */
async function sweepChanges<Change>(
  store: CursorOutbox,
  cursor: ChatCursor,
  { after, numberOf, messagesOf, signal }: Sweep<Change> & { readonly signal: AbortSignal },
): Promise<number> {
  let done = (await store.cursor(cursor)) ?? 0;
  let added = 0;
  while (!signal.aborted) {
    const page = await after(done, CHANGES_PER_PAGE);
    for (const change of page) {
      added += await addInBatches(store, await messagesOf(change));
      done = numberOf(change);
    }
    if (page.length > 0) await store.advance(cursor, done);
    if (page.length < CHANGES_PER_PAGE) break;
  }
  return added;
}

/** Adds any number of messages; returns how many are new. */
export async function addInBatches(
  store: Pick<ChatStore, 'add'>,
  messages: readonly NewChatMessage[],
): Promise<number> {
  let added = 0;
  for (let from = 0; from < messages.length; from += MESSAGES_PER_BATCH)
    added += (await store.add(messages.slice(from, from + MESSAGES_PER_BATCH))).length;
  return added;
}

/** By design, nothing is sent about history or about trades found more than an hour late. */
export function isFoundInTime({ isHistory, createdAt, tradedAt }: Alert): boolean {
  return !isHistory && createdAt - tradedAt <= HOUR_MS;
}
