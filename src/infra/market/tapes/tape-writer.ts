import { createWriteStream, existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { FailureLog } from '../../../core/base/async/failure-log.ts';
import type { Clock } from '../../../core/base/time/clock.ts';
import type { EpochMs } from '../../../core/base/time/duration.ts';
import { UserError } from '../../../core/base/user-error.ts';
import type { Journal, JournalBatch } from '../../../core/ingest/journal.ts';

/** Opens a new tape. Throws a `UserError` when the file exists or cannot be written; `isForced` replaces an existing file. */
export async function createTapeWriter(file: string, isForced: boolean) {
  const part = `${file}.part`;
  if (!/\.jsonl(\.gz)?$/.test(file))
    throw new UserError(`${file}: expected a name that ends in .jsonl or .jsonl.gz`);
  if (!isForced && existsSync(file))
    throw new UserError(`${file}: the file exists. Name another, or replace it with --force.`);
  const handle = await open(part, isForced ? 'w' : 'wx').catch((error: NodeJS.ErrnoException) => {
    throw new UserError(problemOf(part, error), { cause: error });
  });
  return {
    part,
    async write(text: AsyncIterable<string>): Promise<void> {
      const target = createWriteStream(part, { fd: handle, flush: true });
      if (file.endsWith('.gz')) await pipeline(text, createGzip(), target);
      else await pipeline(text, target);
    },
    finish: () => rename(part, file),
    discard: () => rm(part, { force: true }),
  };
}

function problemOf(part: string, { code, message }: NodeJS.ErrnoException): string {
  if (code === 'EEXIST')
    return `${part}: another capture is writing it, or one was killed. Remove it if none is running, or replace it with --force.`;
  if (code === 'ENOENT') return `${part}: the folder does not exist`;
  return `${part}: expected a file that can be written (${message})`;
}

const READ_AT_ONCE = 20;
const RETRY_MS = 1_000;

/** Where a capture begins: at the oldest stored row, at the journal's end, or at the first row accepted since. */
export type CaptureStart = 'start' | 'now' | EpochMs;

interface CaptureDeps {
  readonly journal: Pick<Journal, 'from' | 'bounds'>;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly position: number;
  readonly isFollowing: boolean;
  /** Takes failures of the database while following; the read is then retried. */
  readonly failures: FailureLog;
  readonly onGap: (gap: { readonly first: number; readonly last: number }) => void;
  readonly onBatch: (batch: JournalBatch) => void;
}

/** The first line of a capture. Its journal began somewhere in the market's life. */
const CAPTURE_HEADER = `${JSON.stringify({
  tape: {
    name: 'recording of the live market',
    history: 'partial',
    note: 'Rows as they were accepted, in the order in which they were judged; acceptedAt in milliseconds since 1970.',
  },
})}\n`;

export async function* captureText(deps: CaptureDeps, signal: AbortSignal): AsyncGenerator<string> {
  yield CAPTURE_HEADER;
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

/** The position at which a capture begins, by binary search: a journal holds days. */
export async function positionOf(
  journal: Pick<Journal, 'from' | 'bounds'>,
  start: CaptureStart,
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
