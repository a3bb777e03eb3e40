import { FairQueue } from '../../base/async/fair-queue.ts';
import { withTimeout } from '../../base/async/with-timeout.ts';
import { DatabaseTimeout } from '../../base/database-errors.ts';
import type { Clock } from '../../base/time/clock.ts';

/** Reads of one caller: running, and running plus waiting. */
export const CALLER_READS = { running: 2, total: 10 };
const WAITING_MAX = 1_000;
/** Reads that run at the same time: what takes long of one is a wait for the database. */
const READS_RUNNING = 8;
/** Pages, and reads without a key, that are made at the same time, over all addresses. */
const PUBLIC_RUNNING = 3;
/** Time limit of a read, including waiting: slightly above the limit of one database call (4 s). */
const ANSWER_TIMEOUT_MS = 4_500;

/** Whose read it is. */
export interface Reader {
  /** Unique, such as `key:ID`. */
  readonly name: string;
  /** Without a key: all such callers together get a share of their own. */
  readonly isPublic: boolean;
  /** Drops a read that has not started. */
  readonly signal: AbortSignal;
}

/** Gives the reads of many alerts their turns, in round robin over their callers, so that none can block the others. */
export class ReadTurns {
  readonly #keyed = new FairQueue({
    running: READS_RUNNING,
    runningPerCaller: CALLER_READS.running,
    tasksPerCaller: CALLER_READS.total,
    waiting: WAITING_MAX,
  });
  readonly #public = new FairQueue({
    running: PUBLIC_RUNNING,
    tasksPerCaller: CALLER_READS.total,
    waiting: WAITING_MAX,
  });
  readonly #clock: Pick<Clock, 'sleep'>;

  constructor(clock: Pick<Clock, 'sleep'>) {
    this.#clock = clock;
  }

  /** Rejects like `FairQueue.run`, and with `DatabaseTimeout` after 4.5 s. */
  take<T>(read: () => Promise<T>, { name, isPublic, signal: hangUp }: Reader): Promise<T> {
    const timeoutMs = ANSWER_TIMEOUT_MS;
    const timeoutError = () => new DatabaseTimeout(`no answer from the alert index within ${timeoutMs} ms`);
    return withTimeout({ clock: this.#clock, timeoutMs, timeoutError, signal: hangUp }, (signal) =>
      (isPublic ? this.#public : this.#keyed).run(read, { caller: name, signal }),
    );
  }
}
