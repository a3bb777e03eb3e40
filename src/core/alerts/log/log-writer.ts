import pLimit from 'p-limit';
import { canonicalJson } from '../../base/text/canonical-json.ts';
import type { EpochMs } from '../../base/time/duration.ts';
import { EMPTY_LOG, type LogDraft, type LogEntry, type LogHead } from './log-entry.ts';
import type { LogStore } from './log-store.ts';
import { type Sha256, sealEntry } from './seal.ts';

/** Writes the rows that entries are made of again after a crash, each with the position of its entry. */
type WriteRows<Rows> = (positions: readonly LogHead[]) => Promise<Rows>;

/**
 * Appends to the log, one group of entries at a time. There is one writer, under the ingest lease. After a fault it is closed and
 * refuses every entry until it is opened again, since the entries that failed may have been written.
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

  get head(): LogHead {
    return this.#head;
  }

  /** False before `open`, and after a fault. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Reads where the log ends. Before the first entry, and after a fault. */
  open(): Promise<void> {
    return this.#oneAtATime(async () => {
      this.#isOpen = false;
      const last = await this.#store.last();
      this.#head = last === null ? EMPTY_LOG : { sequence: last.sequence, hash: last.hash };
      this.#lastAt = last?.at ?? 0;
      this.#isOpen = true;
    });
  }

  /** Appends an entry. Throws a `LedgerConflict` when another process has appended. */
  async append(draft: LogDraft): Promise<void> {
    await this.#oneAtATime(() => this.#append([draft]));
  }

  /**
   * Appends entries derived from rows, from which they are restored after a crash: `write` writes the rows, with the sequence
   * numbers and hashes of the entries, before the entries are written. Returns the result of `write`.
   */
  appendWithRows<Rows>(drafts: readonly LogDraft[], write: WriteRows<Rows>): Promise<Rows> {
    return this.#oneAtATime(() => this.#append(drafts, write));
  }

  /** Appends an entry unless the newest one about its subject has the same body. */
  appendAgain(draft: LogDraft): Promise<void> {
    return this.#oneAtATime(async () => {
      const known = await this.#store.lastAbout(draft.subject);
      if (known !== null && canonicalJson(known.body) === canonicalJson(draft.body)) return;
      await this.#append([draft]);
    });
  }

  /** Without `writeRows` the entries cannot be restored. */
  async #append(drafts: readonly LogDraft[]): Promise<undefined>;
  async #append<Rows>(drafts: readonly LogDraft[], writeRows: WriteRows<Rows>): Promise<Rows>;
  async #append<Rows>(drafts: readonly LogDraft[], writeRows?: WriteRows<Rows>): Promise<Rows | undefined> {
    if (!this.#isOpen) throw new Error('the log is closed after a failure and must be opened again');
    const entries: LogEntry[] = [];
    let head = this.#head;
    let at = this.#lastAt;
    for (const draft of drafts) {
      at = Math.max(draft.at, at);
      const entry = sealEntry({ ...draft, at }, head, this.#sha256);
      head = { sequence: entry.sequence, hash: entry.hash };
      entries.push(entry);
    }
    try {
      const rows = await writeRows?.(entries.map(({ sequence, hash }) => ({ sequence, hash })));
      const isRestorable = writeRows !== undefined;
      if ((await this.#store.append(entries, { isRestorable })) === 'taken')
        throw new LedgerConflict(`log entry ${entries[0]?.sequence} was written by another process`);
      this.#head = head;
      this.#lastAt = at;
      return rows;
    } catch (error) {
      this.#isOpen = false;
      throw error;
    }
  }
}

/** Another process writes the ledger: it has used the next id or sequence number. */
export class LedgerConflict extends Error {
  override readonly name = 'LedgerConflict';
}
