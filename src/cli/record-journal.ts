import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { FailureLog } from '../core/base/async/failure-log.ts';
import type { Clock } from '../core/base/time/clock.ts';
import type { EpochMs } from '../core/base/time/duration.ts';
import { UserError } from '../core/base/user-error.ts';
import type { JournalStore } from '../core/ingest/journal-store.ts';
import {
  createTapeWriter,
  positionOf,
  type RecordingStart,
  recordingText,
} from '../infra/market/tapes/tape-writer.ts';
import { PROGRAM } from '../infra/process/program.ts';

const NOTHING_YET = `The journal of this database is empty. It is written while the service watches the live market
(MARKET_SOURCE=polymarket); --follow waits for it. DATABASE_URL says which database is read.`;

interface RecordDeps {
  readonly journal: Pick<JournalStore, 'from' | 'bounds'>;
  readonly clock: Pick<Clock, 'sleep'>;
  /** Where the tape goes when it has no file. */
  readonly output: Writable;
  readonly say: (text: string) => void;
  readonly onProgress: (rows: number, until: EpochMs) => void;
}

/**
 * Writes the journal as a tape, until its end or, following, until the signal aborts. An interrupted tape that is not
 * followed leaves no file. `missing`: rows that were pruned before they could be written.
 */
export async function recordJournal(
  deps: RecordDeps,
  { file, since, isFollowing, isForced }: RecordCommandOptions,
  signal: AbortSignal,
): Promise<{ rows: number; until: EpochMs | null; missing: number; isCut: boolean }> {
  const { journal, clock, output, say } = deps;
  const { next } = await journal.bounds();
  if (next === 1 && !isFollowing) throw new UserError(NOTHING_YET);
  if (next === 1) say('The journal is empty so far; waiting for its first rows.');
  const found = { rows: 0, until: null as EpochMs | null, missing: 0 };
  const position = await positionOf(journal, since);
  const warn = (fields: object) => say(`Database unavailable (${messageOf(fields)}); retrying every second.`);
  const failures = new FailureLog({ warn }, '');
  const writer = file === null ? null : await createTapeWriter(file, isForced);
  try {
    const text = recordingText(
      {
        journal,
        clock,
        position,
        isFollowing,
        failures,
        onGap: ({ first, last }) => {
          found.missing += last - first + 1;
          say(`Rows ${first} to ${last} were deleted before they could be written: the tape lacks them.`);
        },
        onBatch: ({ lines, acceptedAt }) => {
          found.rows += lines.length;
          found.until = acceptedAt;
          deps.onProgress(found.rows, acceptedAt);
        },
      },
      signal,
    );
    const isTaken = await (writer === null ? writeOut(text, output) : writer.write(text).then(() => true));
    const isCut = !isTaken || (signal.aborted && !isFollowing);
    await (isCut ? writer?.discard() : writer?.finish());
    return { ...found, isCut };
  } catch (error) {
    // A recording of days is not deleted because the disk is full.
    if (writer !== null && isFollowing && found.rows > 0)
      say(`What was written so far is in ${writer.part}.`);
    else await writer?.discard();
    throw error;
  }
}

/** False: the output was closed by its reader. */
async function writeOut(text: AsyncIterable<string>, output: Writable): Promise<boolean> {
  try {
    await pipeline(text, output, { end: false });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return false;
    throw error;
  }
}

function messageOf({ err }: { err?: unknown }): string {
  return err instanceof Error ? err.message : String(err);
}

export const RECORD_HELP = `Writes the rows of the live market as a tape: evidence to keep, to share and to replay.

Usage: ${PROGRAM} record OUT [--since WHEN] [--follow] [--force]

  OUT            the tape to write (.jsonl, or .jsonl.gz to pack it); - writes to standard output
  --since WHEN   start: all that is kept, JOURNAL_HOURS at least (the default); now, with --follow;
                 or a moment, for example 2026-03-01T12:00:00Z
  --follow       continues with new rows until Ctrl-C finishes the tape
  --force        replaces OUT if it is there
  --help         this text

  It reads the database that DATABASE_URL names (default sqlite:./data/tipoff.db), beside the running service.
  Until it is finished the tape is called OUT.part. Play it with MARKET_SOURCE=replay:OUT ${PROGRAM} start.`;

export interface RecordCommandOptions {
  /** Null: standard output. */
  readonly file: string | null;
  readonly since: RecordingStart;
  readonly isFollowing: boolean;
  readonly isForced: boolean;
}

/** Throws a `UserError` for wrong usage. */
export function parseRecordOptions(args: string[]): RecordCommandOptions {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      since: { type: 'string', default: 'start' },
      follow: { type: 'boolean', default: false },
      force: { type: 'boolean', default: false },
    },
  });
  const [file, ...rest] = positionals;
  if (file === undefined || rest.length > 0) throw new UserError(`Name one tape to write.\n\n${RECORD_HELP}`);
  const since = startOf(values.since);
  if (since === 'now' && !values.follow)
    throw new UserError('--since now: nothing comes after now without --follow.');
  return { file: file === '-' ? null : file, since, isFollowing: values.follow, isForced: values.force };
}

/** Only with its zone: a moment without one would mean another on another machine. */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

function startOf(text: string): RecordingStart {
  if (text === 'start' || text === 'now') return text;
  const at: EpochMs = MOMENT.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(at)) return at;
  throw new UserError(`--since: expected start, now or a moment like 2026-03-01T12:00:00Z, got "${text}"`);
}
