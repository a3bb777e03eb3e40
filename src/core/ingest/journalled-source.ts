import type { Clock } from '../clock.ts';
import { SECOND_MS } from '../duration.ts';
import type { JournalBatch, JournalStore } from '../ports/journal-store.ts';
import type { Logger } from '../ports/logger.ts';
import type { Checkpoint, LiveFeed, LiveRow, Source, SourceRow } from '../ports/source.ts';
import type { EpochMs, Row } from '../trade.ts';
import { createJournalPruning } from './journal-pruning.ts';
import { LeaseLost } from './snapshot-writer.ts';

/** How many batches of the journal are held at once in a recovery. */
const READ_AT_ONCE = 20;
/** Bounds of a batch, a close row aside: it is one record of the database, which MongoDB bounds at 16 MB. */
const MOST_ROWS = 2_000;
const MOST_CHARACTERS = 4_000_000;

/** What a journalled source stands on. */
export interface JournalledSourceDeps {
  readonly feed: LiveFeed;
  readonly journal: JournalStore;
  /** Reads a journalled line as at the moment it was accepted; null where this build cannot use it. */
  readonly parse: (line: string, acceptedAt: EpochMs) => Row | null;
  /** Where the last snapshot stands; null without one. */
  readonly checkpoint: Checkpoint | null;
  /** How long a row is kept after it was accepted, in milliseconds. */
  readonly keepMs: number;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/**
 * A live feed of which each row is written down before it is judged: first the journal after the checkpoint, then what
 * the feed hands over. A row's offset is its position in the journal. `batches` throws `LeaseLost` when the journal
 * refuses a batch, as another process writes it by now.
 */
export function createJournalledSource(deps: JournalledSourceDeps): Source {
  const { feed, journal, clock } = deps;
  const pruning = createJournalPruning(deps);
  return {
    name: feed.name,
    isComplete: false,
    isLive: true,
    mapping: null,
    checkpoint: (offset) => ({ offset, identity: 'journal', mapping: null }),
    async *batches(signal, { lease, knowledge }) {
      pruning.begin();
      try {
        let first = yield* recover(deps, signal);
        for await (const rows of feed.batches(signal, knowledge)) {
          for (const part of inParts(rows)) {
            const acceptedAt = clock.now();
            const batch = { first, acceptedAt, lines: part.map(({ line }) => line) };
            if (!(await journal.append(lease, batch)))
              throw new LeaseLost('the journal refused a batch: another process ingests now');
            yield part.map(({ row }, index) => ({ row, offset: batch.first + index, acceptedAt }));
            first += part.length;
          }
        }
      } finally {
        await pruning.end();
      }
    },
    forget: pruning.upTo,
    status: feed.status,
  };
}

/** What was journalled and is not in the snapshot. Gives the position of the next row to be written. */
async function* recover(
  deps: JournalledSourceDeps,
  signal: AbortSignal,
): AsyncGenerator<readonly SourceRow[], number> {
  let position = await startOf(deps);
  const startedAt = position;
  while (!signal.aborted) {
    const batches = await deps.journal.from(position, READ_AT_ONCE);
    if (batches.length === 0) break;
    for (const batch of batches) {
      const rows = rowsOf(batch, position, deps);
      position = batch.first + batch.lines.length;
      if (rows.length > 0) yield rows;
    }
  }
  const rows = position - startedAt;
  if (rows > 0) deps.logger.info({ source: deps.feed.name, rows }, 'read again from the journal');
  return position;
}

async function startOf({ journal, checkpoint, feed, logger }: JournalledSourceDeps): Promise<number> {
  const { oldest, next } = await journal.bounds();
  const wanted = (checkpoint?.offset ?? 0) + 1;
  const fields = { source: feed.name, wanted, oldest, next };
  if (wanted < oldest)
    logger.warn(fields, 'the journal lacks rows after the snapshot; it goes on without them');
  if (wanted > next)
    logger.warn(fields, 'the snapshot is ahead of the journal, which goes on from its own end');
  return Math.min(Math.max(wanted, oldest), next);
}

function rowsOf(
  { first, acceptedAt, lines }: JournalBatch,
  position: number,
  { parse, feed, logger }: JournalledSourceDeps,
): readonly SourceRow[] {
  const rows: SourceRow[] = [];
  let unread = 0;
  for (const [index, line] of lines.entries()) {
    if (first + index < position) continue;
    const row = parse(line, acceptedAt);
    if (row === null) unread += 1;
    else rows.push({ row, offset: first + index, acceptedAt });
  }
  if (unread > 0)
    logger.warn(
      { source: feed.name, first, rows: unread },
      'journalled rows that cannot be read are left out',
    );
  return rows;
}

function* inParts(rows: readonly LiveRow[]): Generator<readonly LiveRow[]> {
  for (let start = 0; start < rows.length; ) {
    const end = partEnd(rows, start);
    yield rows.slice(start, end);
    start = end;
  }
}

/**
 * Where the part that begins at `start` ends: between two orders, unless one fills it alone, so that a crash cuts no
 * order apart. A close row stays with the rows before it: after a crash the feed would not hand it over again.
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

/** A close row belongs to the order before it. */
function isSameOrder(before: Row | undefined, row: Row): boolean {
  if (row.kind === 'close') return true;
  if (before?.kind !== 'trade' || row.kind !== 'trade') return false;
  const [a, b] = [before.trade, row.trade];
  const isSameSecond = Math.floor(a.at / SECOND_MS) === Math.floor(b.at / SECOND_MS);
  return isSameSecond && a.wallet === b.wallet && a.asset === b.asset && a.side === b.side;
}
