import { countedAs } from '../network.ts';

/** Limits of a `FairQueue`, each 1 or more. Default: no limit. */
export interface FairQueueLimits {
  /** Tasks that run at the same time: in total, and per caller. */
  readonly running?: number;
  readonly runningPerCaller?: number;
  /** Tasks of one caller, running and waiting together; the network of callers that are IPv6 clients has eight times as many. */
  readonly tasksPerCaller?: number;
  readonly waiting?: number;
}

/** Whose task it is, and under which conditions it runs. */
export interface FairQueueOptions {
  readonly caller: string;
  /** Drops the task when it aborts before the task has started. A running task is not stopped. */
  readonly signal?: AbortSignal;
  /** False: the task waits no matter how many others wait. Default true. */
  readonly isRefusable?: boolean;
}

/** A refused task: its caller (`caller`), or all callers together (`all`), have the maximum number of tasks. */
export class QueueFullError extends Error {
  override readonly name = 'QueueFullError';
  readonly scope: 'caller' | 'all';

  constructor(scope: 'caller' | 'all') {
    super(scope === 'caller' ? 'The caller has too many tasks in the queue.' : 'The queue is full.');
    this.scope = scope;
  }
}

const NO_LIMIT = Number.POSITIVE_INFINITY;

interface CallerTasks {
  running: number;
  /** Tasks that wait, first in, first out. Each entry starts its task. */
  readonly waiting: Set<() => void>;
}

/**
 * Runs tasks in round robin over their callers, and first in, first out within a caller. While a task waits, every
 * other caller starts at most one before it. With `runningPerCaller: 1` it is a mutex for each caller. Memory is bounded by the
 * limits; a caller without tasks takes none.
 */
export class FairQueue {
  readonly #limits: FairQueueLimits;
  /** Callers with tasks, the least recently started first. */
  readonly #callers = new Map<string, CallerTasks>();
  readonly #quota = new ConcurrencyQuota();
  #running = 0;
  #waiting = 0;

  constructor(limits: FairQueueLimits) {
    this.#limits = limits;
  }

  get callers(): number {
    return this.#callers.size;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Settles as the task does. Rejects with `QueueFullError` or the signal's reason if it never started. */
  async run<T>(task: () => Promise<T>, options: FairQueueOptions): Promise<T> {
    const { caller, signal, isRefusable = true } = options;
    signal?.throwIfAborted();
    const leave = this.#enter(caller, isRefusable);
    try {
      const tasks = await this.#wait(caller, signal);
      try {
        signal?.throwIfAborted();
        return await task();
      } finally {
        tasks.running -= 1;
        this.#running -= 1;
        this.#forgetIdle(caller, tasks);
        this.#startWaiting();
      }
    } finally {
      leave();
    }
  }

  /** Counts a task of the caller. */
  #enter(caller: string, isRefusable: boolean): () => void {
    const { tasksPerCaller = NO_LIMIT, waiting = NO_LIMIT } = this.#limits;
    const leave = this.#quota.take(caller, isRefusable ? tasksPerCaller : NO_LIMIT);
    if (leave === null) throw new QueueFullError('caller');
    if (!isRefusable || this.#waiting < waiting) return leave;
    leave();
    throw new QueueFullError('all');
  }

  /** Resolves with the tasks of the caller when this one counts as running. */
  #wait(caller: string, signal: AbortSignal | undefined): Promise<CallerTasks> {
    const { promise, resolve, reject } = Promise.withResolvers<CallerTasks>();
    const tasks = this.#callers.get(caller) ?? { running: 0, waiting: new Set() };
    const start = () => {
      signal?.removeEventListener('abort', drop);
      resolve(tasks);
    };
    const drop = () => {
      tasks.waiting.delete(start);
      this.#waiting -= 1;
      this.#forgetIdle(caller, tasks);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', drop, { once: true });
    this.#callers.set(caller, tasks);
    tasks.waiting.add(start);
    this.#waiting += 1;
    this.#startWaiting();
    return promise;
  }

  #startWaiting(): void {
    const { running = NO_LIMIT, runningPerCaller = NO_LIMIT } = this.#limits;
    // A caller that goes to the end is visited again, until nothing more can start.
    for (const [caller, tasks] of this.#callers) {
      if (this.#running >= running) return;
      const [start] = tasks.waiting;
      if (start === undefined || tasks.running >= runningPerCaller) continue;
      tasks.waiting.delete(start);
      this.#waiting -= 1;
      tasks.running += 1;
      this.#running += 1;
      this.#callers.delete(caller);
      this.#callers.set(caller, tasks);
      start();
    }
  }

  #forgetIdle(caller: string, { running, waiting }: CallerTasks): void {
    if (running + waiting.size === 0) this.#callers.delete(caller);
  }
}

/**
 * Bounds how many of something (sockets, connections, attempts) each key holds at the same time in this process. A key that is
 * an IPv6 client is also counted for its network.
 */
export class ConcurrencyQuota {
  readonly #held = new Map<string, number>();

  count(key: string): number {
    return this.#held.get(key) ?? 0;
  }

  /** Takes one. Returns a function that gives it back, once; null if the key holds `max`, or its network its share. */
  take(key: string, max: number): (() => void) | null {
    const counted = countedAs(key, max);
    if (counted.some(([subject, limit]) => this.count(subject) >= limit)) return null;
    for (const [subject] of counted) this.#add(subject, 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      for (const [subject] of counted) this.#add(subject, -1);
    };
  }

  #add(subject: string, change: 1 | -1): void {
    const count = this.count(subject) + change;
    if (count > 0) this.#held.set(subject, count);
    else this.#held.delete(subject);
  }
}
