import { setImmediate as nextTurn } from 'node:timers/promises';
import { type RetryOptions, retry } from '../../../core/base/async/retry.ts';
import type { Clock } from '../../../core/base/time/clock.ts';
import { withEachMethod } from '../each-method.ts';
import type { OpenedFile } from './opened-file.ts';
import { sqliteFailure } from './sqlite-failure.ts';

const BACKOFF = { firstMs: 5, mostMs: 100 };
/** 3 s in all, and less than the time limit of a call (4 s) on a busy machine, too: its outcome is known. */
const ATTEMPTS = 33;

/** What calls may take in one turn of the event loop before the next one waits; one sync of a slow disk takes as long. */
const LOOP_HELD_MS = 10;

/**
 * Every call of a store of an SQLite file passes here. It is refused while the file is lost, and repeated while another
 * process holds the lock: SQLite refuses such a statement or transaction before it has changed anything. The event loop is
 * free between two attempts, and between two calls when those before have taken long: SQLite works, and waits for the disk,
 * within the call.
 */
export class CallGuard {
  readonly #file: Pick<OpenedFile, 'check'> | null;
  readonly #closing = new AbortController();
  readonly #whileLocked: RetryOptions;
  /** Time of the calls since they last waited for the event loop. */
  #takenMs = 0;
  /** Resolves in the next turn of the event loop; null while calls need not wait for it. Those that wait keep their order. */
  #loopPassed: Promise<void> | null = null;

  /** `file`: null for a database in memory. */
  constructor(file: Pick<OpenedFile, 'check'> | null, clock: Clock) {
    this.#file = file;
    this.#whileLocked = {
      clock,
      signal: this.#closing.signal,
      backoff: BACKOFF,
      attempts: ATTEMPTS,
      isFinal: (error) => sqliteFailure(error) !== 'locked',
    };
  }

  /** Each method of the store must be one statement or one transaction, or one that may be repeated from its start. */
  readonly store = <Store extends object>(store: Store): Store =>
    this.#file === null ? store : withEachMethod(store, (_, method) => this.call(method));

  readonly call = <Args extends readonly unknown[], Answer>(
    method: (...args: Args) => Promise<Answer>,
  ): ((...args: Args) => Promise<Answer>) => {
    const file = this.#file;
    if (file === null) return method;
    return (...args) => {
      const attempt = async () => {
        while (this.#loopPassed !== null) await this.#loopPassed;
        file.check();
        return this.#timed(() => method(...args));
      };
      return retry(attempt, this.#whileLocked);
    };
  };

  #timed<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    const startedAt = performance.now();
    const answer = call();
    this.#takenMs += performance.now() - startedAt;
    if (this.#takenMs >= LOOP_HELD_MS) this.#loopPassed ??= this.#waitForLoop();
    return answer;
  }

  async #waitForLoop(): Promise<void> {
    await nextTurn();
    this.#takenMs = 0;
    this.#loopPassed = null;
  }

  /** Calls that wait for a lock are given up. */
  close(): void {
    this.#closing.abort();
  }
}
