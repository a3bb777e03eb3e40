import type { Clock } from '../clock.ts';
import { isOfOneOrder } from '../detection/order.ts';
import { LeaseLost } from '../lease/lease-lost.ts';
import type { LiveFeed, LiveRow, Source } from '../source/source.ts';
import type { Row, Trade } from '../trade.ts';
import { createJournalPruning } from './journal-pruning.ts';
import { JournalRecovery, type JournalRecoveryDeps } from './journal-recovery.ts';

/** Bounds of a batch, a close row aside: it is one record of the database, which MongoDB bounds at 16 MB. */
const MOST_ROWS = 2_000;
const MOST_CHARACTERS = 4_000_000;

/** What a journalled source stands on. */
export interface JournalledSourceDeps extends Omit<JournalRecoveryDeps, 'source' | 'isRebuild'> {
  readonly feed: LiveFeed;
  /** Begins at the oldest row that is kept (`Source.judgedUpTo`). */
  readonly isRebuild?: boolean;
  /** How long a row is kept after it was accepted, in milliseconds. */
  readonly keepMs: number;
  readonly clock: Clock;
}

/**
 * A live feed of which each row is written down before it is judged: first the journal after the checkpoint, then what
 * the feed hands over. A row's offset is its position in the journal. `batches` throws `LeaseLost` when the journal
 * refuses a batch, as another process writes it by now.
 */
export function createJournalledSource(deps: JournalledSourceDeps): Source {
  const { feed, journal, clock, isRebuild = false } = deps;
  const recovery = new JournalRecovery({ ...deps, source: feed.name, isRebuild });
  const pruning = createJournalPruning(deps);
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
      pruning.begin();
      try {
        let first = yield* recovery.rows(signal);
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

/** A close row belongs to the order before it, and a removed fill to its order. */
function isSameOrder(before: Row | undefined, row: Row): boolean {
  if (row.kind === 'close') return true;
  return isFill(before) && isFill(row) && isOfOneOrder(before.trade, row.trade);
}

function isFill(row: Row | undefined): row is Extract<Row, { readonly trade: Trade }> {
  return row?.kind === 'trade' || row?.kind === 'removed';
}
