import { FailureLog } from '../base/async/failure-log.ts';
import { Notifier, repeat } from '../base/async/repeat.ts';
import type { Logger } from '../base/logger.ts';
import type { Clock } from '../base/time/clock.ts';
import { SECOND_MS } from '../base/time/duration.ts';
import type { ChatQueue } from './chat-queue.ts';
import type { ChatPageCursor, ChatStore } from './chat-store.ts';
import type { SendStep } from './send-step.ts';

const POLL_MS = SECOND_MS;
const PAGE = 100;

/** Dependencies of a `ChatQueueWorker`. */
export interface ChatQueueWorkerOptions {
  readonly store: Pick<ChatStore, 'due'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  /** Lets other work run between two pages: a store that answers immediately would block it. */
  readonly yieldToLoop: () => Promise<void>;
}

/**
 * Sends the due messages of one queue, one after the other, every second and when it is woken. A message whose step fails
 * is skipped until the next pass.
 */
export class ChatQueueWorker {
  readonly #queue: ChatQueue;
  readonly #sendStep: SendStep;
  readonly #options: ChatQueueWorkerOptions;
  readonly #wake = new Notifier();
  #cursor: ChatPageCursor | undefined;

  constructor(queue: ChatQueue, sendStep: SendStep, options: ChatQueueWorkerOptions) {
    this.#queue = queue;
    this.#sendStep = sendStep;
    this.#options = options;
  }

  /** Call when a message may be due. Does not end a pause. */
  wake(): void {
    this.#wake.notify();
  }

  /** Runs until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.#options;
    const warn = (fields: object, message: string) => logger.warn({ ...fields, lane: this.#queue }, message);
    await repeat(() => this.#pass(signal), {
      clock,
      signal,
      intervalMs: POLL_MS,
      failures: new FailureLog({ warn }, 'chat messages unavailable; retrying every second'),
      wake: this.#wake.nextNotification,
    });
  }

  async #pass(signal: AbortSignal): Promise<void> {
    while (await this.#page(signal)) await this.#options.yieldToLoop();
  }

  /** Returns whether the next page follows immediately: not after the last one, nor after one of other workers' messages. */
  async #page(signal: AbortSignal): Promise<boolean> {
    const { store, clock } = this.#options;
    const query = { lane: this.#queue, now: clock.now(), limit: PAGE };
    const page = await store.due(this.#cursor === undefined ? query : { ...query, after: this.#cursor });
    let isOurs = false;
    for (const message of page) {
      if (signal.aborted) return false;
      this.#cursor = message;
      const step = await this.#sendStep(message);
      isOurs ||= step.isOurs;
      if (step.pauseMs === 0) continue;
      await clock.sleep(step.pauseMs, signal);
      return !signal.aborted;
    }
    if (page.length === PAGE) return isOurs;
    this.#cursor = undefined;
    return false;
  }
}
