import pLimit from 'p-limit';
import type { EpochMs } from '../trade.ts';
import { canonicalJson } from './canonical-json.ts';
import { EMPTY_LOG, type LogDraft, type LogHead } from './log-entry.ts';
import type { LogStore } from './log-store.ts';
import { type Sha256, sealEntry } from './seal.ts';

interface RowWrite<Row> {
  /** The entry is made of the row again after a crash. */
  readonly isRestorable: boolean;
  readonly write: (head: LogHead) => Promise<Row | null>;
}

/**
 * Appends to the log, one entry at a time. There is one writer, under the ingest lease. After a fault it is closed and
 * refuses every entry until it is opened again, since the entry that failed may have been written.
 */
export class LogWriter {
  readonly #store: LogStore;
  readonly #sha256: Sha256;
  readonly #oneAtATime = pLimit(1);
  #head = EMPTY_LOG;
  #lastAt: EpochMs = 0;
  #isOpen = false;

  constructor(store: LogStore, sha256: Sha256) {
    this.#store = store;
    this.#sha256 = sha256;
  }

  /** The last entry that is written. */
  get head(): LogHead {
    return this.#head;
  }

  /** False before `open`, and after a fault. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Reads where the log ends. Before the first entry, and after a fault. */
  open(): Promise<void> {
    return this.#exclusively(async () => {
      this.#isOpen = false;
      const last = await this.#store.last();
      this.#head = last === null ? EMPTY_LOG : { sequence: last.sequence, hash: last.hash };
      this.#lastAt = last?.at ?? 0;
      this.#isOpen = true;
    });
  }

  /** Appends an entry. Throws a `LedgerConflict` when another process has appended. */
  async append(draft: LogDraft): Promise<void> {
    await this.#exclusively(() => this.#append(draft, { isRestorable: false, write: async (head) => head }));
  }

  /**
   * Appends an entry derived from a row, from which it is restored after a crash: `write` writes the row, with the sequence
   * number and hash of the entry, before the entry is written. If it returns null, no entry is appended. Returns the result of
   * `write`.
   */
  appendWithRow<Row>(draft: LogDraft, write: (head: LogHead) => Promise<Row | null>): Promise<Row | null> {
    return this.#exclusively(() => this.#append(draft, { isRestorable: true, write }));
  }

  /** Appends an entry unless the newest one about its subject has the same body. */
  appendAgain(draft: LogDraft): Promise<void> {
    return this.#exclusively(async () => {
      const known = await this.#store.lastAbout(draft.subject);
      if (known !== null && canonicalJson(known.body) === canonicalJson(draft.body)) return;
      await this.#append(draft, { isRestorable: false, write: async (head) => head });
    });
  }

  async #append<Row>(draft: LogDraft, { isRestorable, write }: RowWrite<Row>): Promise<Row | null> {
    if (!this.#isOpen) throw new Error('the log is closed after a failure and must be opened again');
    const at = Math.max(draft.at, this.#lastAt);
    const entry = sealEntry({ ...draft, at }, this.#head, this.#sha256);
    const head = { sequence: entry.sequence, hash: entry.hash };
    const row = await this.#closedByFault(async () => {
      const written = await write(head);
      if (written !== null && (await this.#store.append(entry, { isRestorable })) === 'taken')
        throw new LedgerConflict(`log entry ${entry.sequence} was written by another process`);
      return written;
    });
    if (row === null) return null;
    this.#head = head;
    this.#lastAt = at;
    return row;
  }

  async #closedByFault<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.#isOpen = false;
      throw error;
    }
  }

  #exclusively<T>(task: () => Promise<T>): Promise<T> {
    return this.#oneAtATime(task);
  }
}

/** Another process writes the ledger: it has used the next id or sequence number. */
export class LedgerConflict extends Error {
  override readonly name = 'LedgerConflict';
}
