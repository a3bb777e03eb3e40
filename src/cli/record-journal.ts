import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FailureLog } from '../core/async/failure-log.ts';
import type { Clock } from '../core/clock.ts';
import type { JournalStore } from '../core/ingest/journal-store.ts';
import type { EpochMs } from '../core/trade.ts';
import { UserError } from '../core/user-error.ts';
import { positionOf, recordingText } from '../infra/sources/recording.ts';
import { createTapeWriter } from '../infra/sources/tape-writer.ts';
import type { RecordCommandOptions } from './record-options.ts';

const NOTHING_YET = `The journal of this database is empty. It is written while the service watches the live market
(MARKET_SOURCE=polymarket); --follow waits for it. DATABASE_URL says which database is read.`;

export interface RecordDeps {
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
