import pLimit from 'p-limit';
import { canonicalJson } from '../../base/text/canonical-json.ts';
import type { EpochMs } from '../../base/time/duration.ts';
import { EMPTY_LOG, type LogDraft, type LogHead } from './log-entry.ts';
import type { LogStore } from './log-store.ts';
import { type Sha256, sealEntry } from './seal.ts';

/** Writes the row that an entry is made of again after a crash; null: there is nothing to append. */
type WriteRow<Row> = (head: LogHead) => Promise<Row | null>;

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
    await this.#oneAtATime(() => this.#append(draft));
  }

  /**
   * Appends an entry derived from a row, from which it is restored after a crash: `write` writes the row, with the sequence
   * number and hash of the entry, before the entry is written. If it returns null, no entry is appended. Returns the result of
   * `write`.
   */
  appendWithRow<Row>(draft: LogDraft, write: WriteRow<Row>): Promise<Row | null> {
    return this.#oneAtATime(() => this.#append(draft, write));
  }

  /** Appends an entry unless the newest one about its subject has the same body. */
  appendAgain(draft: LogDraft): Promise<void> {
    return this.#oneAtATime(async () => {
      const known = await this.#store.lastAbout(draft.subject);
      if (known !== null && canonicalJson(known.body) === canonicalJson(draft.body)) return;
      await this.#append(draft);
    });
  }

  /** Without `writeRow` the entry cannot be restored. */
  async #append<Row>(draft: LogDraft, writeRow?: WriteRow<Row>): Promise<Row | null> {
    if (!this.#isOpen) throw new Error('the log is closed after a failure and must be opened again');
    const at = Math.max(draft.at, this.#lastAt);
    const entry = sealEntry({ ...draft, at }, this.#head, this.#sha256);
    const { sequence, hash } = entry;
    try {
      const row = (await writeRow?.({ sequence, hash })) ?? null;
      const isRestorable = writeRow !== undefined;
      if (isRestorable && row === null) return null;
      if ((await this.#store.append(entry, { isRestorable })) === 'taken')
        throw new LedgerConflict(`log entry ${sequence} was written by another process`);
      this.#head = { sequence, hash };
      this.#lastAt = at;
      return row;
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
