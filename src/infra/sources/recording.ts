import type { Clock } from '../../core/clock.ts';
import type { JournalBatch, JournalStore } from '../../core/ingest/journal-store.ts';
import type { EpochMs } from '../../core/trade.ts';

const READ_AT_ONCE = 20;
const LOOK_AGAIN_MS = 1_000;

/** Where a recording begins: at all that is kept, at the journal's end, or at the first row accepted since. */
export type RecordingStart = 'start' | 'now' | EpochMs;

/** Rows that were pruned before they could be written: from the first to the last position. */
export interface RecordingGap {
  readonly first: number;
  readonly last: number;
}

export interface RecordingDeps {
  readonly journal: Pick<JournalStore, 'from' | 'bounds'>;
  readonly clock: Pick<Clock, 'sleep'>;
  /** Position of the first row. */
  readonly position: number;
  /** Whether it waits for more at the journal's end, until the signal aborts. */
  readonly isFollowing: boolean;
  /** Told once when the database does not answer a recording that follows, which then tries again. */
  readonly onTrouble: (error: unknown) => void;
  readonly onGap: (gap: RecordingGap) => void;
  /** Told when the batch is on its way into the recording. */
  readonly onBatch: (batch: JournalBatch) => void;
}

/** The first line of a recording. Its journal began somewhere in the market's life. */
export const RECORDING_HEADER = `${JSON.stringify({
  tape: {
    name: 'recording of the live market',
    history: 'partial',
    note: 'Rows as they were accepted, in the order in which they were judged; acceptedAt in milliseconds since 1970.',
  },
})}\n`;

/** The journal as text of a tape, batch by batch. */
export async function* recordingText(deps: RecordingDeps, signal: AbortSignal): AsyncGenerator<string> {
  yield RECORDING_HEADER;
  let { position } = deps;
  const read = createReader(deps);
  while (!signal.aborted) {
    const batches = await read(position);
    if (batches.length === 0 && !deps.isFollowing) return;
    if (batches.length === 0) await deps.clock.sleep(LOOK_AGAIN_MS, signal);
    for (const batch of batches) {
      if (signal.aborted) return;
      if (batch.first > position) deps.onGap({ first: position, last: batch.first - 1 });
      const lines = batch.lines.slice(Math.max(0, position - batch.first));
      position = batch.first + batch.lines.length;
      deps.onBatch({ ...batch, first: position - lines.length, lines });
      yield lines.map((line) => `${withAcceptedAt(line, batch.acceptedAt)}\n`).join('');
    }
  }
}

/** What follows for days outlives a database that is away for a while. */
function createReader({ journal, isFollowing, onTrouble }: RecordingDeps) {
  let isAway = false;
  return async (position: number): Promise<readonly JournalBatch[]> => {
    try {
      const batches = await journal.from(position, READ_AT_ONCE);
      isAway = false;
      return batches;
    } catch (error) {
      if (!isFollowing) throw error;
      if (!isAway) onTrouble(error);
      isAway = true;
      return [];
    }
  };
}

/** The row's own text stays as it is: it is evidence. */
function withAcceptedAt(line: string, acceptedAt: EpochMs): string {
  const end = line.lastIndexOf('}');
  return end < 0 ? line : `${line.slice(0, end)},"acceptedAt":${acceptedAt}}`;
}

/** The position at which a recording begins. By halves, as a journal of days is long. */
export async function positionOf(
  journal: Pick<JournalStore, 'from' | 'bounds'>,
  start: RecordingStart,
): Promise<number> {
  const { oldest, next } = await journal.bounds();
  if (start === 'start') return oldest;
  if (start === 'now') return next;
  let [low, high] = [oldest, next];
  while (low < high) {
    const [batch] = await journal.from(Math.floor((low + high) / 2), 1);
    if (batch === undefined || batch.first >= high) break;
    if (batch.acceptedAt < start) low = batch.first + batch.lines.length;
    else high = Math.max(low, batch.first);
  }
  return low;
}
