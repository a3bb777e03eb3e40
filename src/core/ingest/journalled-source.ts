import { repeatUntil } from '../base/async/repeat.ts';
import { LeaseLost } from '../base/lease/lease.ts';
import type { Logger } from '../base/logger.ts';
import type { Clock } from '../base/time/clock.ts';
import type { EpochMs } from '../base/time/duration.ts';
import { isOfOneOrder } from '../detection/order.ts';
import type {
  Checkpoint,
  LiveFeed,
  LiveRow,
  Source,
  SourceRow,
  SourceStatus,
} from '../trades/source/source.ts';
import type { Row, Trade } from '../trades/trade.ts';
import type { Journal, JournalBatch } from './journal.ts';

/** Bounds of a batch without its close row: it is one database record, which MongoDB limits to 16 MB. */
const MOST_ROWS = 2_000;
const MOST_CHARACTERS = 4_000_000;

/**
 * A live feed whose rows are journalled before they are judged: first the journal after the checkpoint, then the feed's
 * new rows. A row's offset is its position in the journal. `batches` throws `LeaseLost` when the journal refuses a batch
 * because another process has taken over.
 */
export function createJournalledSource(deps: JournalDeps): Source {
  const { feed, journal, clock } = deps;
  const recovery = new JournalRecovery(deps);
  /** Aborted while no run passes on rows. */
  let over = AbortSignal.abort();
  let pruning: Promise<void> | null = null;
  return {
    name: feed.name,
    isComplete: false,
    isLive: true,
    mapping: null,
    get judgedUpTo() {
      return recovery.judgedUpTo;
    },
    checkpoint: (offset) => ({ offset, identity: 'journal', mapping: null }),
    async *batches(signal, { lease, knowledge }) {
      const run = new AbortController();
      over = run.signal;
      try {
        let first = yield* recovery.rows(signal);
        for await (const rows of feed.batches(signal, knowledge)) {
          for (const part of inParts(rows)) {
            const acceptedAt = clock.now();
            const batch = { first, acceptedAt, lines: part.map(({ line }) => line) };
            if (!(await journal.append(lease, batch)))
              throw new LeaseLost('journal write refused: another process ingests now');
            yield part.map(({ row }, index) => ({ row, offset: batch.first + index, acceptedAt }));
            first += part.length;
          }
        }
      } finally {
        run.abort();
        await pruning;
      }
    },
    forget(position) {
      if (over.aborted) return;
      pruning ??= prune(deps, position, over).finally(() => {
        pruning = null;
      });
    },
    status: () => recovery.status() ?? feed.status(),
  };
}

function* inParts(rows: readonly LiveRow[]): Generator<readonly LiveRow[]> {
  for (let start = 0; start < rows.length; ) {
    const end = partEnd(rows, start);
    yield rows.slice(start, end);
    start = end;
  }
}

/**
 * End of the part that begins at `start`: between two orders, unless one order fills the part, so that a crash does not
 * split an order. A close row stays with the rows before it: after a crash the feed would not send it again.
 */
function partEnd(rows: readonly LiveRow[], start: number): number {
  let orderStart = start;
  let characters = 0;
  for (let index = start; index < rows.length; index++) {
    const { row, line } = rows[index] as LiveRow;
    if (!isSameOrder(rows[index - 1]?.row, row)) orderStart = index;
    characters += line.length;
    const isFull = index - start >= MOST_ROWS || (index > start && characters > MOST_CHARACTERS);
    if (isFull && row.kind !== 'close') return orderStart > start ? orderStart : index;
  }
  return rows.length;
}

/** A close row belongs to the order before it; a removed fill belongs to its order. */
function isSameOrder(before: Row | undefined, row: Row): boolean {
  if (row.kind === 'close') return true;
  return isFill(before) && isFill(row) && isOfOneOrder(before.trade, row.trade);
}

function isFill(row: Row | undefined): row is Extract<Row, { readonly trade: Trade }> {
  return row?.kind === 'trade' || row?.kind === 'removed';
}

/** Small enough not to delay a batch of the feed. */
const BATCHES_AT_ONCE = 20;
const PAUSE_MS = 100;

/** Deletes the old batches up to a position, a few at a time. A failure is only logged. */
async function prune(
  { journal, keepMs, clock, logger }: JournalDeps,
  position: number,
  signal: AbortSignal,
): Promise<void> {
  const acceptedBefore = clock.now() - keepMs;
  const bound = { position: position + 1, acceptedBefore, limit: BATCHES_AT_ONCE };
  const pruneSome = async () => (await journal.prune(bound)) < BATCHES_AT_ONCE;
  try {
    await repeatUntil(pruneSome, { clock, signal, intervalMs: PAUSE_MS });
  } catch (error) {
    logger.warn({ err: error }, 'journal pruning failed; retrying after the next snapshot');
  }
}

const READ_AT_ONCE = 20;

interface JournalDeps {
  readonly feed: LiveFeed;
  readonly journal: Journal;
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
class JournalRecovery {
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
