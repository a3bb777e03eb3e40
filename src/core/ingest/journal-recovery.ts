import type { Logger } from '../logger.ts';
import type { Checkpoint, SourceRow, SourceStatus } from '../source/source.ts';
import type { EpochMs, Row } from '../trade.ts';
import type { JournalBatch, JournalStore } from './journal-store.ts';

/** How many batches of the journal are held at once. */
const READ_AT_ONCE = 20;

/** What a recovery reads, and from where. */
export interface JournalRecoveryDeps {
  readonly journal: JournalStore;
  /** Names the feed in the log. */
  readonly source: string;
  /** Reads a journalled line as at the moment it was accepted; null where this build cannot use it. */
  readonly parse: (line: string, acceptedAt: EpochMs) => Row | null;
  /** Where the last snapshot stands; null without one. */
  readonly checkpoint: Checkpoint | null;
  /** Begins at the oldest row that is kept instead of behind the checkpoint. */
  readonly isRebuild: boolean;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/** Reads again what was journalled and is not in the snapshot, or for a rebuild all that the journal still holds. */
export class JournalRecovery {
  readonly #deps: JournalRecoveryDeps;
  #start = 0;
  #position = 0;
  #judgedUpTo = 0;

  constructor(deps: JournalRecoveryDeps) {
    this.#deps = deps;
  }

  /** `Source.judgedUpTo`. Rows that are journalled from now on lie behind it. */
  get judgedUpTo(): number {
    return this.#judgedUpTo;
  }

  /** How far a rebuild is; null when none is under way. */
  status(): SourceStatus | null {
    if (this.#position > this.#judgedUpTo) return null;
    const progress = (this.#position - this.#start) / (this.#judgedUpTo + 1 - this.#start);
    return { state: 'catching_up', progress, historyProgress: null };
  }

  /** Ends at the journal's end, and gives the position of the next row to be written. */
  async *rows(signal: AbortSignal): AsyncGenerator<readonly SourceRow[], number> {
    const { journal, source, logger } = this.#deps;
    await this.#begin();
    while (!signal.aborted) {
      const batches = await journal.from(this.#position, READ_AT_ONCE);
      if (batches.length === 0) break;
      for (const batch of batches) {
        const rows = this.#rowsOf(batch);
        this.#position = batch.first + batch.lines.length;
        if (rows.length > 0) yield rows;
      }
    }
    const rows = this.#position - this.#start;
    if (rows > 0) logger.info({ source, rows }, 'read again from the journal');
    return this.#position;
  }

  async #begin(): Promise<void> {
    const { journal, checkpoint, source, isRebuild, logger } = this.#deps;
    const { oldest, next } = await journal.bounds();
    const wanted = (checkpoint?.offset ?? 0) + 1;
    const fields = { source, wanted, oldest, next };
    if (wanted < oldest)
      logger.warn(fields, 'the journal lacks rows after the snapshot; it goes on without them');
    if (wanted > next)
      logger.warn(fields, 'the snapshot is ahead of the journal, which goes on from its own end');
    const resumed = Math.min(Math.max(wanted, oldest), next);
    this.#start = isRebuild ? oldest : resumed;
    this.#position = this.#start;
    if (!isRebuild) return;
    this.#judgedUpTo = resumed - 1;
    if (oldest > 1) await this.#reportLoss(oldest);
  }

  async #reportLoss(oldest: number): Promise<void> {
    const { journal, source, logger } = this.#deps;
    const [first] = await journal.from(oldest, 1);
    const from = first === undefined ? null : new Date(first.acceptedAt).toISOString();
    logger.warn(
      { source, from },
      'the journal does not reach back to its first row: positions and threads of older trades are lost',
    );
  }

  #rowsOf({ first, acceptedAt, lines }: JournalBatch): readonly SourceRow[] {
    const { parse, source, logger } = this.#deps;
    const rows: SourceRow[] = [];
    let unread = 0;
    for (const [index, line] of lines.entries()) {
      if (first + index < this.#position) continue;
      const row = parse(line, acceptedAt);
      if (row === null) unread += 1;
      else rows.push({ row, offset: first + index, acceptedAt });
    }
    if (unread > 0)
      logger.warn({ source, first, rows: unread }, 'journalled rows that cannot be read are left out');
    return rows;
  }
}
