import {
  FairQueue,
  type FairQueueLimits,
  type FairQueueOptions,
  QueueFullError,
} from '../../src/core/base/async/fair-queue.ts';

type Task = () => Promise<void>;
type PersonOptions = Pick<FairQueueOptions, 'caller' | 'isRefusable' | 'signal'>;

/** The newest task of a person with too many; `settle` ends the wait of its caller. */
interface KeptTask {
  readonly task: Task;
  readonly settle: (result: void | Promise<void>) => void;
}

/**
 * Limits the tasks of one person that run and wait. Of those above the limit the newest is kept and runs when a place is free,
 * so that the last thing a person did is always answered; the others are skipped. Memory: one kept task for each person at the
 * limit.
 */
export class PersonQueue {
  readonly #queue: FairQueue;
  readonly #onSkipped: () => void;
  readonly #kept = new Map<string, KeptTask>();

  constructor(limits: FairQueueLimits, onSkipped: () => void = () => {}) {
    this.#queue = new FairQueue(limits);
    this.#onSkipped = onSkipped;
  }

  /** Settles as the task does; resolves when it was skipped. Rejects with `QueueFullError` when all people together have too many. */
  async run(task: Task, options: PersonOptions): Promise<void> {
    let isKept = false;
    try {
      await this.#queue.run(task, options);
    } catch (error) {
      isKept = error instanceof QueueFullError && error.scope === 'caller';
      if (!isKept) throw error;
    } finally {
      if (!isKept) this.#runKept(options);
    }
    if (isKept) await this.#keep(task, options.caller);
  }

  #keep(task: Task, caller: string): Promise<void> {
    const before = this.#kept.get(caller);
    if (before !== undefined) this.#onSkipped();
    before?.settle();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#kept.set(caller, { task, settle: resolve });
    return promise;
  }

  #runKept(options: PersonOptions): void {
    const kept = this.#kept.get(options.caller);
    if (kept === undefined) return;
    this.#kept.delete(options.caller);
    kept.settle(this.run(kept.task, options));
  }
}
