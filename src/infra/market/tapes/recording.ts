import type { FailureLog } from '../../../core/base/async/failure-log.ts';
import type { Clock } from '../../../core/base/time/clock.ts';
import type { EpochMs } from '../../../core/base/time/duration.ts';
import type { JournalBatch, JournalStore } from '../../../core/ingest/journal-store.ts';

const READ_AT_ONCE = 20;
const RETRY_MS = 1_000;

/** Where a recording begins: at the oldest stored row, at the journal's end, or at the first row accepted since. */
export type RecordingStart = 'start' | 'now' | EpochMs;

interface RecordingDeps {
  readonly journal: Pick<JournalStore, 'from' | 'bounds'>;
  readonly clock: Pick<Clock, 'sleep'>;
  /** Position of the first row. */
  readonly position: number;
  /** Whether it waits for more rows at the journal's end, until the signal aborts. */
  readonly isFollowing: boolean;
  /** Takes failures of the database while following; the read is then retried. */
  readonly failures: FailureLog;
  /** Called with the first and the last position of rows that were pruned before they could be written. */
  readonly onGap: (gap: { readonly first: number; readonly last: number }) => void;
  /** Called before the batch is written. */
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

/** The journal as the text of a tape, batch by batch. */
export async function* recordingText(deps: RecordingDeps, signal: AbortSignal): AsyncGenerator<string> {
  yield RECORDING_HEADER;
  const { journal, clock, isFollowing, failures } = deps;
  let { position } = deps;
  const read = () => journal.from(position, READ_AT_ONCE);
  // No `repeat`: it yields, and pauses only at the end.
  while (!signal.aborted) {
    const batches = isFollowing ? ((await failures.guard(read)) ?? []) : await read();
    if (batches.length === 0 && !isFollowing) return;
    if (batches.length === 0) await clock.sleep(RETRY_MS, signal);
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

/** The row's own text stays unchanged: it is evidence. */
function withAcceptedAt(line: string, acceptedAt: EpochMs): string {
  const end = line.lastIndexOf('}');
  return end < 0 ? line : `${line.slice(0, end)},"acceptedAt":${acceptedAt}}`;
}

/** The position at which a recording begins, by binary search: a journal holds days. */
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
