import { type Stats, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { DatabaseUnavailable } from '../../../core/base/database-errors.ts';
import type { Logger } from '../../../core/base/logger.ts';

/**
 * The file of an open database. While its path leads to no file or to another one, what is written disappears when the process
 * ends, so that no call may be answered.
 */
export class OpenedFile {
  readonly #path: string;
  readonly #logger: Pick<Logger, 'error' | 'info'> | undefined;
  readonly #opened: Stats | undefined;
  #isLost = false;

  /** Must be constructed when SQLite has opened the file. */
  constructor(path: string, logger?: Pick<Logger, 'error' | 'info'>) {
    this.#path = resolve(path);
    this.#logger = logger;
    this.#opened = statSync(this.#path, { throwIfNoEntry: false });
  }

  /** Throws while the path leads elsewhere. Logs when that begins and when it ends. About 2 µs. */
  check(): void {
    const found = this.#found();
    if (found === undefined) throw this.#lost('was deleted or moved');
    if (found !== null && !this.#isOpened(found)) throw this.#lost('was replaced by another file');
    if (this.#isLost) this.#logger?.info({ file: this.#path }, 'the database file is back');
    this.#isLost = false;
  }

  /** Undefined without a file; null where that cannot be seen, which is no proof. */
  #found(): Stats | null | undefined {
    try {
      return statSync(this.#path, { throwIfNoEntry: false });
    } catch {
      return null;
    }
  }

  #isOpened({ dev, ino }: Stats): boolean {
    return dev === this.#opened?.dev && ino === this.#opened.ino;
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
