import { setImmediate } from 'node:timers/promises';
import pLimit from 'p-limit';
import { LogThrottle } from '../../src/core/base/async/failure-log.ts';
import { FairQueue, QueueFullError } from '../../src/core/base/async/fair-queue.ts';
import type { Logger } from '../../src/core/base/logger.ts';
import type { Clock } from '../../src/core/base/time/clock.ts';
import { MINUTE_MS } from '../../src/core/base/time/duration.ts';
import type { ChatMetrics } from '../../src/core/chat/chat-store.ts';

/** Updates of people that wait; more are dropped. At 27 answers a second the last waits three minutes. */
export const MOST_WAITING = 5_000;

const LIMITS = {
  /** Updates of people that are handled at the same time, which includes the wait for Telegram's rate limits. */
  running: 200,
  waiting: MOST_WAITING,
  runningPerCaller: 1,
  /** So that one person cannot take all places. */
  tasksPerCaller: 8,
};

interface UpdateQueueOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly metrics: Pick<ChatMetrics, 'chatUpdateDropped'>;
  readonly signal: AbortSignal;
}

type Task = () => Promise<void>;

/**
 * The order in which updates are handled: oldest first, one of a person at a time. Of a person's updates above the limit the
 * newest is kept and runs when a place is free, so that the last thing a person did is always answered. Updates of groups do
 * not wait.
 */
export class UpdateQueue {
  readonly #options: UpdateQueueOptions;
  readonly #people = new FairQueue(LIMITS);
  /** The newest update of each person at the limit; `settle` ends the wait of its caller. */
  readonly #kept = new Map<string, { task: Task; settle: (result: void | Promise<void>) => void }>();
  /** One update begins in each iteration of the event loop: a hundred at the same time would block other work. */
  readonly #yieldToLoop = pLimit(1);
  readonly #throttle: LogThrottle;
  #size = 0;

  constructor(options: UpdateQueueOptions) {
    this.#options = options;
    this.#throttle = new LogThrottle(options.clock, MINUTE_MS);
  }

  get size(): number {
    return this.#size;
  }

  /** Resolves when the update was handled or dropped. `chat`: negative for groups. `handle` must not throw. */
  async run(chat: number, handle: Task): Promise<void> {
    const task = async () => {
      await this.#yieldToLoop(() => setImmediate());
      await handle();
    };
    this.#size += 1;
    try {
      await (chat <= 0 ? task() : this.#runOf(String(chat), task));
    } catch (error) {
      if (error instanceof QueueFullError) this.#onFull();
    } finally {
      this.#size -= 1;
    }
  }

  async #runOf(caller: string, task: Task): Promise<void> {
    try {
      await this.#people.run(task, { caller, signal: this.#options.signal });
    } catch (error) {
      if (error instanceof QueueFullError && error.scope === 'caller') return this.#keep(caller, task);
      throw error;
    } finally {
      // At the limit nothing of this person has ended, so what was just kept is not taken here.
      if (this.#kept.get(caller)?.task !== task) this.#runKept(caller);
    }
  }

  #keep(caller: string, task: Task): Promise<void> {
    const before = this.#kept.get(caller);
    if (before !== undefined) this.#options.metrics.chatUpdateDropped();
    before?.settle();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#kept.set(caller, { task, settle: resolve });
    return promise;
  }

  #runKept(caller: string): void {
    const kept = this.#kept.get(caller);
    this.#kept.delete(caller);
    kept?.settle(this.#runOf(caller, kept.task));
  }

  #onFull(): void {
    this.#options.metrics.chatUpdateDropped();
    const dropped = this.#throttle.take();
    if (dropped === null) return;
    this.#options.logger.warn(
      { dropped, waiting: MOST_WAITING },
      'too many updates wait for their answer on Telegram; new ones are dropped',
    );
  }
}
