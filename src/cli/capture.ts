import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FailureLog } from '../core/base/async/failure-log.ts';
import { counted } from '../core/base/text/formats.ts';
import type { Clock } from '../core/base/time/clock.ts';
import type { EpochMs } from '../core/base/time/duration.ts';
import { UserError } from '../core/base/user-error.ts';
import type { Journal } from '../core/ingest/journal.ts';
import {
  type CaptureStart,
  captureText,
  createTapeWriter,
  positionOf,
} from '../infra/market/tapes/tape-writer.ts';
import { PROGRAM } from '../infra/process/program.ts';
import { systemClock } from '../infra/process/system-clock.ts';
import { commandOf, DATABASE_URL, interruptible, withDatabase } from './command.ts';
import { createTerminal } from './terminal.ts';

const INTERRUPTED = 130;
const NOTHING_YET = `The journal of this database is empty. It is written while the service watches the live market
(MARKET_SOURCE=polymarket); --follow waits for it. DATABASE_URL says which database is read.`;

export const captureCommand = commandOf({
  about: 'Writes the rows of the live market as a tape: evidence to keep, to share and to replay.',
  usage: 'capture OUT [--since WHEN] [--follow] [--force]',
  operand: {
    name: 'OUT',
    noun: 'tape to write',
    help: 'the tape to write (.jsonl, or .jsonl.gz to compress it); - writes to standard output',
  },
  options: {
    since: {
      type: 'string',
      value: 'WHEN',
      help: 'start: everything that is kept, at least JOURNAL_HOURS (the default); now, with --follow;\nor a moment, for example 2026-03-01T12:00:00Z',
    },
    follow: { type: 'boolean', help: 'continues with new rows until Ctrl-C finishes the tape' },
    force: { type: 'boolean', help: 'replaces OUT if it exists' },
  },
  notes: `It reads the database that DATABASE_URL names (default sqlite:./data/tipoff.db), beside the running service.
Until it is finished the tape is called OUT.part. Play it with MARKET_SOURCE=replay:OUT ${PROGRAM} start.`,
  run({ since = 'start', follow = false, force = false }, out) {
    const from = startOf(since);
    if (from === 'now' && !follow) throw new UserError('--since now requires --follow.');
    const options = { file: out === '-' ? null : out, since: from, isFollowing: follow, isForced: force };
    return withDatabase(DATABASE_URL, ({ journal }) =>
      interruptible((signal) => captureToEnd(journal, options, signal)),
    );
  },
});

/** Only with its zone: a moment without one would mean another on another machine. */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

function startOf(text: string): CaptureStart {
  if (text === 'start' || text === 'now') return text;
  const at: EpochMs = MOMENT.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(at)) return at;
  throw new UserError(`--since: expected start, now or a moment like 2026-03-01T12:00:00Z, got "${text}"`);
}

async function captureToEnd(
  journal: CaptureDeps['journal'],
  options: CaptureOptions,
  signal: AbortSignal,
): Promise<void> {
  // Standard output may be the tape.
  const terminal = createTerminal(process.stderr);
  const deps: CaptureDeps = {
    journal,
    clock: systemClock,
    output: process.stdout,
    say: terminal.line,
    onProgress: (count, at) =>
      terminal.progress(`${counted(count, 'row')}, up to ${new Date(at).toISOString()}`),
  };
  const { rows, until, missing, isCut } = await captureJournal(deps, options, signal);
  const end = until === null ? '' : `, up to ${new Date(until).toISOString()}`;
  if (isCut)
    terminal.line(`Interrupted: ${options.file === null ? 'the tape is cut off' : 'nothing was kept'}.`);
  else terminal.line(`${counted(rows, 'row')} in ${options.file ?? 'standard output'}${end}.`);
  if (isCut) process.exitCode = INTERRUPTED;
  else if (missing > 0) process.exitCode = 1;
}

interface CaptureDeps {
  readonly journal: Pick<Journal, 'from' | 'bounds'>;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly output: Writable;
  readonly say: (text: string) => void;
  readonly onProgress: (rows: number, until: EpochMs) => void;
}

export interface CaptureOptions {
  readonly file: string | null;
  readonly since: CaptureStart;
  readonly isFollowing: boolean;
  readonly isForced: boolean;
}

/** Writes the journal as a tape; `missing`: rows that were pruned before they could be written. */
export async function captureJournal(
  { journal, clock, output, say, onProgress }: CaptureDeps,
  { file, since, isFollowing, isForced }: CaptureOptions,
  signal: AbortSignal,
): Promise<{ rows: number; until: EpochMs | null; missing: number; isCut: boolean }> {
  const { next } = await journal.bounds();
  if (next === 1 && !isFollowing) throw new UserError(NOTHING_YET);
  if (next === 1) say('The journal is empty so far; waiting for its first rows.');
  const found = { rows: 0, until: null as EpochMs | null, missing: 0 };
  const position = await positionOf(journal, since);
  const warn = (fields: object) => {
    if (!failures.isFailing) say(`Database unavailable (${messageOf(fields)}); retrying every second.`);
  };
  const failures: FailureLog = new FailureLog({ warn }, '');
  const capture = {
    journal,
    clock,
    position,
    isFollowing,
    failures,
    onGap: ({ first, last }: { readonly first: number; readonly last: number }) => {
      found.missing += last - first + 1;
      say(`Rows ${first} to ${last} were deleted before they could be written: the tape lacks them.`);
    },
    onBatch: ({ lines, acceptedAt }: { readonly lines: readonly string[]; readonly acceptedAt: EpochMs }) => {
      found.rows += lines.length;
      found.until = acceptedAt;
      onProgress(found.rows, acceptedAt);
    },
  };
  const writer = file === null ? null : await createTapeWriter(file, isForced);
  try {
    const text = captureText(capture, signal);
    const isTaken = await (writer === null ? writeOut(text, output) : writer.write(text).then(() => true));
    const isCut = !isTaken || (signal.aborted && !isFollowing);
    await (isCut ? writer?.discard() : writer?.finish());
    return { ...found, isCut };
  } catch (error) {
    // A capture of days is not deleted because the disk is full.
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
