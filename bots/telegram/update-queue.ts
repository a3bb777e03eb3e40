import { setImmediate } from 'node:timers/promises';
import pLimit from 'p-limit';
import { LogThrottle } from '../../src/core/base/async/failure-log.ts';
import { QueueFullError } from '../../src/core/base/async/fair-queue.ts';
import type { Logger } from '../../src/core/base/logger.ts';
import type { Clock } from '../../src/core/base/time/clock.ts';
import { MINUTE_MS } from '../../src/core/base/time/duration.ts';
import type { ChatMetrics } from '../../src/core/chat/message-metrics.ts';
import { PersonQueue } from '../shared/person-queue.ts';

/** Updates of one private chat, so that one person cannot take all places; of more only the newest is handled. */
const PER_PERSON = 8;
/** Updates of people that are handled at the same time, which includes the wait for Telegram's rate limits. */
const RUNNING = 200;
/** Updates of people that wait for this; more are dropped. At 27 answers a second the last waits three minutes. */
export const MOST_WAITING = 5_000;

const LIMITS = {
  ...{ running: RUNNING, waiting: MOST_WAITING },
  ...{ runningPerCaller: 1, tasksPerCaller: PER_PERSON },
};

interface UpdateQueueOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly metrics: Pick<ChatMetrics, 'chatUpdateDropped'>;
  /** Drops what waits. */
  readonly signal: AbortSignal;
}

/**
 * The order in which updates are handled: oldest first, one of a person at a time, at most 5,000 in all. Updates of groups
 * do not wait.
 */
export class UpdateQueue {
  readonly #options: UpdateQueueOptions;
  readonly #people: PersonQueue;
  /** One update begins in each iteration of the event loop: a hundred at the same time would block other work. */
  readonly #yieldToLoop = pLimit(1);
  readonly #throttle: LogThrottle;
  #size = 0;

  constructor(options: UpdateQueueOptions) {
    this.#options = options;
    this.#people = new PersonQueue(LIMITS, () => options.metrics.chatUpdateDropped());
    this.#throttle = new LogThrottle(options.clock, MINUTE_MS);
  }

  /** Updates that wait or are handled. */
  get size(): number {
    return this.#size;
  }

  /** Resolves when the update was handled or dropped. `chat`: negative for groups. `handle` must not throw. */
  async run(chat: number, handle: () => Promise<void>): Promise<void> {
    const task = async () => {
      await this.#yieldToLoop(() => setImmediate());
      await handle();
    };
    this.#size += 1;
    try {
      if (chat <= 0) await task();
      else await this.#people.run(task, { caller: String(chat), signal: this.#options.signal });
    } catch (error) {
      if (error instanceof QueueFullError) this.#onFull();
    } finally {
      this.#size -= 1;
    }
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
