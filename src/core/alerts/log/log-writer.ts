import pLimit from 'p-limit';
import { canonicalJson } from '../../base/text/canonical-json.ts';
import type { EpochMs } from '../../base/time/duration.ts';
import { EMPTY_LOG, type LogDraft, type LogEntry, type LogHead } from './log-entry.ts';
import type { LogStore } from './log-store.ts';
import { type Sha256, sealEntry } from './seal.ts';

export interface LogWriterDeps {
  readonly log: Pick<LogStore, 'append' | 'last' | 'after' | 'lastAbout'>;
  readonly sha256: Sha256;
  /** Hears of the entries that were written, in order. */
  readonly onWritten?: (entries: readonly LogEntry[]) => void;
}

/** Entries of others that are looked through after one of them took a number. */
const OTHERS_MAX = 100;

/**
 * Appends to the log, one group of entries at a time: that write is the commit. There is one writer of alerts, under the ingest lease.
 * After a fault it is closed and refuses every entry until it is opened again, since the entries that failed may have been written.
 */
export class LogWriter {
  readonly #deps: LogWriterDeps;
  readonly #oneAtATime = pLimit(1);
  #head = EMPTY_LOG;
  #lastAt: EpochMs = 0;
  #isOpen = false;

  constructor(deps: LogWriterDeps) {
    this.#deps = deps;
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
      const last = await this.#deps.log.last();
      [this.#head, this.#lastAt] = [EMPTY_LOG, 0];
      this.#continueAfter(last ?? undefined);
      this.#isOpen = true;
    });
  }

  /** Appends entries, and returns them. Throws a `LedgerConflict` when another process has appended alerts. */
  append(drafts: readonly LogDraft[]): Promise<readonly LogEntry[]> {
    return this.#oneAtATime(() => this.#append(drafts));
  }

  /** Appends an entry unless the newest one about its subject has the same body. */
  appendAgain(draft: LogDraft): Promise<void> {
    return this.#oneAtATime(async () => {
      const known = await this.#deps.log.lastAbout(draft.subject);
      if (known !== null && canonicalJson(known.body) === canonicalJson(draft.body)) return;
      await this.#append([draft]);
    });
  }

  async #append(drafts: readonly LogDraft[]): Promise<readonly LogEntry[]> {
    if (!this.#isOpen) throw new Error('the log is closed after a failure and must be opened again');
    let entries = this.#sealed(drafts);
    try {
      while ((await this.#deps.log.append(entries)) === 'taken') {
        await this.#passWithdrawals();
        entries = this.#sealed(drafts);
      }
      this.#continueAfter(entries.at(-1));
      this.#deps.onWritten?.(entries);
      return entries;
    } catch (error) {
      this.#isOpen = false;
      throw error;
    }
  }

  #sealed(drafts: readonly LogDraft[]): readonly LogEntry[] {
    const entries: LogEntry[] = [];
    let [head, at] = [this.#head, this.#lastAt];
    for (const draft of drafts) {
      at = Math.max(draft.at, at);
      const entry = sealEntry({ ...draft, at }, head, this.#deps.sha256);
      head = { seq: entry.seq, hash: entry.hash };
      entries.push(entry);
    }
    return entries;
  }

  /** An operator withdraws alerts from wherever they are; everything else is written by the holder of the lease alone. */
  async #passWithdrawals(): Promise<void> {
    const others = await this.#deps.log.after(this.#head.seq, OTHERS_MAX);
    if (others.length === 0 || others.some(({ kind }) => kind !== 'withdrawal'))
      throw new LedgerConflict(`log entry ${this.#head.seq + 1} was written by another process`);
    this.#continueAfter(others.at(-1));
  }

  #continueAfter(last: LogEntry | undefined): void {
    if (last === undefined) return;
    this.#head = { seq: last.seq, hash: last.hash };
    this.#lastAt = last.at;
  }
}

/** Another process writes the ledger: it has used the next sequence number. */
export class LedgerConflict extends Error {
  override readonly name = 'LedgerConflict';
}
