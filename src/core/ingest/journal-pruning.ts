import { repeatUntil } from '../async/repeat-until.ts';
import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';
import type { JournalStore } from './journal-store.ts';

/** Small enough not to delay a batch of the feed. */
const BATCHES_AT_ONCE = 20;
const PAUSE_MS = 100;

interface JournalPruningDeps {
  readonly journal: Pick<JournalStore, 'prune'>;
  /** How long a row is kept after it was accepted, in milliseconds. */
  readonly keepMs: number;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Deletes old batches of a journal in the background, a few at a time. */
export class JournalPruning {
  readonly #deps: JournalPruningDeps;
  #run: AbortController | null = null;
  #work: Promise<void> | null = null;

  constructor(deps: JournalPruningDeps) {
    this.#deps = deps;
  }

  /** Enables deletion. */
  begin(): void {
    this.#run = new AbortController();
  }

  /** Rows up to this position are not needed for a start any more. Returns immediately; a failure is only logged. */
  readonly upTo = (position: number): void => {
    if (this.#run !== null) this.#work ??= this.#prune(position, this.#run.signal);
  };

  /** Resolves when no deletion is running any more. */
  async end(): Promise<void> {
    this.#run?.abort();
    this.#run = null;
    await this.#work;
  }

  async #prune(position: number, signal: AbortSignal): Promise<void> {
    const { journal, keepMs, clock, logger } = this.#deps;
    const acceptedBefore = clock.now() - keepMs;
    const bound = { position: position + 1, acceptedBefore, limit: BATCHES_AT_ONCE };
    const pruneSome = async () => (await journal.prune(bound)) < BATCHES_AT_ONCE;
    try {
      await repeatUntil(pruneSome, { clock, signal, intervalMs: PAUSE_MS });
    } catch (error) {
      logger.warn({ err: error }, 'journal pruning failed; retrying after the next snapshot');
    }
    this.#work = null;
  }
}
