import type { Logger } from '../base/logger.ts';
import type { Clock } from '../base/time/clock.ts';
import type { EpochMs } from '../base/time/duration.ts';
import type { Checkpoint, LiveFeed, SourceRow, SourceStatus } from '../trades/source/source.ts';
import type { Row } from '../trades/trade.ts';
import type { JournalBatch, JournalStore } from './journal-store.ts';

/** Batches of the journal in memory at the same time. */
const READ_AT_ONCE = 20;

/** What a journalled source reads and writes. */
export interface JournalDeps {
  readonly feed: LiveFeed;
  readonly journal: JournalStore;
  /** Parses a journalled line with the clock at its acceptance; null when this build cannot read it. */
  readonly parse: (line: string, acceptedAt: EpochMs) => Row | null;
  /** Position of the last snapshot; null without one. */
  readonly checkpoint: Checkpoint | null;
  /** Begins at the oldest stored row (`Source.judgedUpTo`) instead of after the checkpoint. */
  readonly isRebuild?: boolean;
  /** How long a row is kept after it was accepted, in milliseconds. */
  readonly keepMs: number;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/** Reads the journalled rows that are not in the snapshot; for a rebuild, all rows that the journal still has. */
export class JournalRecovery {
  readonly #deps: JournalDeps;
  #start = 0;
  #position = 0;
  #judgedUpTo = 0;

  constructor(deps: JournalDeps) {
    this.#deps = deps;
  }

  /** `Source.judgedUpTo`. Rows that are journalled from now on come after it. */
  get judgedUpTo(): number {
    return this.#judgedUpTo;
  }

  /** Progress of a rebuild; null when none is running. */
  status(): SourceStatus | null {
    if (this.#position > this.#judgedUpTo) return null;
    const progress = (this.#position - this.#start) / (this.#judgedUpTo + 1 - this.#start);
    return { state: 'catching_up', progress, historyProgress: null };
  }

  /** Ends at the journal's end and returns the position of the next row to be written. */
  async *rows(signal: AbortSignal): AsyncGenerator<readonly SourceRow[], number> {
    const { journal, feed, logger } = this.#deps;
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
    if (rows > 0) logger.info({ source: feed.name, rows }, 'journalled rows read again');
    return this.#position;
  }

  async #begin(): Promise<void> {
    const { journal, checkpoint, feed, isRebuild = false, logger } = this.#deps;
    const { oldest, next } = await journal.bounds();
    const wanted = (checkpoint?.offset ?? 0) + 1;
    const fields = { source: feed.name, wanted, oldest, next };
    if (wanted < oldest)
      logger.warn(fields, 'journal rows after the snapshot are lost; continuing without them');
    if (wanted > next)
      logger.warn(fields, 'snapshot ahead of the journal; continuing at the end of the journal');
    const resumed = Math.min(Math.max(wanted, oldest), next);
    this.#start = isRebuild ? oldest : resumed;
    this.#position = this.#start;
    if (!isRebuild) return;
    this.#judgedUpTo = resumed - 1;
    if (oldest > 1) await this.#reportLoss(oldest);
  }

  async #reportLoss(oldest: number): Promise<void> {
    const { journal, feed, logger } = this.#deps;
    const [first] = await journal.from(oldest, 1);
    const from = first === undefined ? null : new Date(first.acceptedAt).toISOString();
    logger.warn(
      { source: feed.name, from },
      'oldest journal rows are pruned: positions and threads of older trades are lost',
    );
  }

  #rowsOf({ first, acceptedAt, lines }: JournalBatch): readonly SourceRow[] {
    const { parse, feed, logger } = this.#deps;
    const rows: SourceRow[] = [];
    let unread = 0;
    for (const [index, line] of lines.entries()) {
      if (first + index < this.#position) continue;
      const row = parse(line, acceptedAt);
      if (row === null) unread += 1;
      else rows.push({ row, offset: first + index, acceptedAt });
    }
    if (unread > 0)
      logger.warn({ source: feed.name, first, rows: unread }, 'unreadable journal rows skipped');
    return rows;
  }
}
