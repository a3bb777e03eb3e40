import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';
import type { JournalStore } from './journal-store.ts';

/** Few enough that a batch of the feed hardly waits for them. */
const AT_ONCE = 20;
const PAUSE_MS = 100;

/** What the pruning of a journal stands on. `keepMs`: how long a row is kept after it was accepted. */
export interface JournalPruningDeps {
  readonly journal: Pick<JournalStore, 'prune'>;
  readonly keepMs: number;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Deletes old batches of a journal beside the work, a few at a time. */
export interface JournalPruning {
  /** Nothing is deleted before. */
  begin(): void;
  /** No row up to this position is needed for a start any more. Returns at once; a fault is logged, and left at that. */
  upTo(position: number): void;
  /** Resolves when nothing is being deleted any more. */
  end(): Promise<void>;
}

/** The pruning of one run at a time. */
export function createJournalPruning({ journal, keepMs, clock, logger }: JournalPruningDeps): JournalPruning {
  let run: AbortController | null = null;
  let work: Promise<void> | null = null;

  async function prune(position: number, { signal }: AbortController): Promise<void> {
    const bound = { position: position + 1, acceptedBefore: clock.now() - keepMs, limit: AT_ONCE };
    try {
      while (!signal.aborted && (await journal.prune(bound)) === AT_ONCE) await clock.sleep(PAUSE_MS, signal);
    } catch (error) {
      logger.warn({ err: error }, 'the journal was not pruned; tried again after the next snapshot');
    }
    work = null;
  }

  return {
    begin() {
      run = new AbortController();
    },
    upTo(position) {
      if (run !== null && work === null) work = prune(position, run);
    },
    async end() {
      run?.abort();
      run = null;
      await work;
    },
  };
}
