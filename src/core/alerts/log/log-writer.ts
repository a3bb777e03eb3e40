import pLimit from 'p-limit';
import { EMPTY_LOG, type LogDraft, type LogEntry, type LogHead } from './log-entry.ts';
import type { LogStore } from './log-store.ts';
import { type Sha256, sealEntry } from './seal.ts';

export interface LogWriterDeps {
  readonly log: Pick<LogStore, 'append' | 'last' | 'after'>;
  readonly sha256: Sha256;
  /** Hears of the entries that were written, in order, before the next ones are. */
  readonly onWritten?: (entries: readonly LogEntry[]) => void | Promise<void>;
}

/** Entries that are read beyond those that were being written, to see who took their place. */
const OTHERS_MAX = 100;

/** The last entry, as far as the next one depends on it. */
type Position = Pick<LogEntry, 'seq' | 'hash' | 'at' | 'epoch'>;

const START: Position = { ...EMPTY_LOG, at: 0, epoch: 0 };

/**
 * Appends to the log, one group of entries at a time: that write is the commit. There is one writer of alerts, under the ingest lease.
 * After a fault it is closed and refuses every entry until it is opened again, since the entries that failed may have been written.
 */
export class LogWriter {
  readonly #deps: LogWriterDeps;
  readonly #oneAtATime = pLimit(1);
  #last = START;
  #epoch = 0;
  #isOpen = false;

  constructor(deps: LogWriterDeps) {
    this.#deps = deps;
  }

  get head(): LogHead {
    return { seq: this.#last.seq, hash: this.#last.hash };
  }

  /** False before `open`, and after a fault. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /**
   * Reads where the log ends. Before the first entry, and after a fault. `epoch`: the writer's turn at the lease; without one, that of
   * the last entry. Throws a `LedgerConflict` when a later turn has written.
   */
  open(epoch?: number): Promise<void> {
    return this.#oneAtATime(async () => {
      this.#isOpen = false;
      this.#last = (await this.#deps.log.last()) ?? START;
      this.#epoch = epoch ?? this.#last.epoch;
      this.#requireTurn();
      this.#isOpen = true;
    });
  }

  /** Appends entries, and returns them. Throws a `LedgerConflict` when another process has appended alerts. */
  append(drafts: readonly LogDraft[]): Promise<readonly LogEntry[]> {
    return this.#oneAtATime(() => this.#append(drafts));
  }

  async #append(drafts: readonly LogDraft[]): Promise<readonly LogEntry[]> {
    if (!this.#isOpen) throw new Error('the log is closed after a failure and must be opened again');
    const written: LogEntry[] = [];
    while (written.length < drafts.length)
      written.push(...(await this.#write(this.#sealed(drafts.slice(written.length)))));
    await this.#deps.onWritten?.(written);
    return written;
  }

  /** Writes entries, and returns those that were written: all of them, or those before one whose place was taken. */
  async #write(entries: readonly LogEntry[]): Promise<readonly LogEntry[]> {
    try {
      if ((await this.#deps.log.append(entries)) === 'taken') return await this.#pass(entries);
      this.#last = entries.at(-1) ?? this.#last;
      return entries;
    } catch (error) {
      this.#isOpen = false;
      throw error;
    }
  }

  #sealed(drafts: readonly LogDraft[]): readonly LogEntry[] {
    const entries: LogEntry[] = [];
    let last = this.#last;
    for (const draft of drafts) {
      const entry = { ...draft, at: Math.max(draft.at, last.at), epoch: this.#epoch };
      const sealed = sealEntry(entry, last, this.#deps.sha256);
      entries.push(sealed);
      last = sealed;
    }
    return entries;
  }

  /**
   * Continues after what took the place of one of these entries, and returns those before it, which were written. An operator withdraws
   * alerts from wherever they are; everything else is written by the holder of the lease alone.
   */
  async #pass(entries: readonly LogEntry[]): Promise<readonly LogEntry[]> {
    const found = await this.#deps.log.after(this.#last.seq, entries.length + OTHERS_MAX);
    const written = entries.filter(({ hash }, index) => found[index]?.hash === hash);
    const others = found.slice(written.length);
    this.#last = others.at(-1) ?? this.#last;
    this.#requireTurn();
    if (others.length === 0 || others.some(({ kind }) => kind !== 'withdrawal'))
      throw new LedgerConflict(`log entry ${entries[0]?.seq} or its key was written by another process`);
    return written;
  }

  #requireTurn(): void {
    const { seq, epoch } = this.#last;
    if (epoch > this.#epoch)
      throw new LedgerConflict(`log entry ${seq} is of epoch ${epoch}, later than ${this.#epoch}`);
  }
}

/** Another process writes the ledger: it has written in a later turn at the lease, or used the next number or a key. */
export class LedgerConflict extends Error {
  override readonly name = 'LedgerConflict';
}
