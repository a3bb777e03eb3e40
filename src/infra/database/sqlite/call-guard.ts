import { type Stats, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type RetryOptions, retry } from '../../../core/base/async/retry.ts';
import { DatabaseUnavailable } from '../../../core/base/database-errors.ts';
import type { Logger } from '../../../core/base/logger.ts';
import type { Clock } from '../../../core/base/time/clock.ts';
import { sqliteFailure } from './open-failure.ts';

const BACKOFF = { firstMs: 5, mostMs: 100 };
/** 3 s in all, and less than the time limit of a call (4 s) on a busy machine, too: its outcome is known. */
const ATTEMPTS = 33;

/** What calls may take in one turn of the event loop before the next one waits: a page reads a dozen times, and a sync takes longer. */
const LOOP_HELD_MS = 1;

/** Every call of a file's store passes here: refused while it is lost, repeated while it is locked. */
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

  /** The method must be one statement or one transaction, or one that may be repeated from its start. */
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

/** A comparison takes 2 µs, a fifth of a small read. */
const COMPARED_EVERY_MS = 1_000;

/**
 * The file of an open database: while its path leads elsewhere, what is written would disappear. That is noticed within a second. What
 * is written in that second goes, like everything before, into the file that was opened, and is there when that is put back.
 */
export class OpenedFile {
  readonly #path: string;
  readonly #logger: Pick<Logger, 'error' | 'info'> | undefined;
  readonly #opened: Stats | undefined;
  #isLost = false;
  #comparedAt = Number.NEGATIVE_INFINITY;

  /** Must be constructed when SQLite has opened the file. */
  constructor(path: string, logger?: Pick<Logger, 'error' | 'info'>) {
    this.#path = resolve(path);
    this.#logger = logger;
    this.#opened = statSync(this.#path, { throwIfNoEntry: false });
  }

  /** Throws while the path leads elsewhere. Logs when that begins and when it ends. */
  check(): void {
    const now = performance.now();
    if (now - this.#comparedAt < COMPARED_EVERY_MS && !this.#isLost) return;
    this.#comparedAt = now;
    const event = this.#event();
    if (event !== null) throw this.#lost(event);
    if (this.#isLost) this.#logger?.info({ file: this.#path }, 'the database file is back');
    this.#isLost = false;
  }

  /** What happened to the file; null also where that cannot be seen, which is no proof. */
  #event(): string | null {
    try {
      const found = statSync(this.#path, { throwIfNoEntry: false });
      if (found === undefined) return 'was deleted or moved';
      const isOpened = found.dev === this.#opened?.dev && found.ino === this.#opened.ino;
      return isOpened ? null : 'was replaced by another file';
    } catch {
      return null;
    }
  }

  #lost(event: string): DatabaseUnavailable {
    const reason =
      `DATABASE_URL: ${this.#path} ${event} while it was open. Put back the same file, which is used again then, ` +
      'or restart the service to use what is at this path.';
    if (!this.#isLost)
      this.#logger?.error({ file: this.#path, reason }, 'database file lost; nothing is written');
    this.#isLost = true;
    return new DatabaseUnavailable(reason);
  }
}
