import { setImmediate } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { Logger } from '../../src/core/base/logger.ts';
import type { ChatMetrics } from '../../src/core/chat/chat-store.ts';

/** People whose updates are handled at the same time, which includes the wait for Telegram's rate limits. */
const RUNNING = 200;
/** People who wait; updates of more are dropped. At 27 answers a second the last of them waits three minutes. */
export const MOST_WAITING = 5_000;
/** Updates of one person that wait for their own. */
const MOST_OF_ONE = 8;

interface UpdateQueueOptions {
  readonly logger: Pick<Logger, 'warn'>;
  readonly metrics: Pick<ChatMetrics, 'chatUpdateDropped'>;
  readonly signal: AbortSignal;
}

type Task = () => Promise<void>;

interface Waiting {
  readonly handle: Task;
  /** Ends the wait of the caller. */
  readonly settle: (result: void | Promise<void>) => void;
}

/**
 * The order in which updates are handled: oldest first, one of a person at a time. Of a person's updates above the limit the
 * newest is kept, so that the last thing a person did is always answered. Updates of groups do not wait.
 */
export class UpdateQueue {
  readonly #options: UpdateQueueOptions;
  readonly #slots = pLimit(RUNNING);
  /** Further updates of each person who has one that is handled or waits for a slot. */
  readonly #people = new Map<number, Waiting[]>();
  /** One update begins in each iteration of the event loop: a hundred at the same time would block other work. */
  readonly #yieldToLoop = pLimit(1);

  constructor(options: UpdateQueueOptions) {
    this.#options = options;
  }

  /** Settles as `handle` does, or resolves when the update was dropped. `chat`: negative for groups. */
  async run(chat: number, handle: Task): Promise<void> {
    const waiting = this.#people.get(chat);
    if (chat <= 0) return this.#begin(handle);
    if (waiting !== undefined) return this.#wait(waiting, handle);
    if (this.#slots.pendingCount >= MOST_WAITING) return this.#refuse();
    this.#people.set(chat, []);
    return this.#slots(() => this.#handle(chat, handle));
  }

  #wait(waiting: Waiting[], handle: Task): Promise<void> {
    if (waiting.length === MOST_OF_ONE) {
      this.#options.metrics.chatUpdateDropped();
      waiting.pop()?.settle();
    }
    return new Promise((settle) => waiting.push({ handle, settle }));
  }

  async #handle(person: number, handle: Task): Promise<void> {
    try {
      if (!this.#options.signal.aborted) await this.#begin(handle);
    } finally {
      const next = this.#people.get(person)?.shift();
      if (next === undefined) this.#people.delete(person);
      else next.settle(this.#slots(() => this.#handle(person, next.handle)));
    }
  }

  async #begin(handle: Task): Promise<void> {
    await this.#yieldToLoop(() => setImmediate());
    await handle();
  }

  #refuse(): void {
    const { logger, metrics } = this.#options;
    metrics.chatUpdateDropped();
    const message = 'too many updates wait for their answer on Telegram; new ones are dropped';
    logger.warn({ waiting: MOST_WAITING }, message);
  }
}
