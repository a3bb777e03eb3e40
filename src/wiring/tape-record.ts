import { rulesIdentity } from '../core/alerts/ledger/log-drafts.ts';
import type { EpochMs } from '../core/base/time/duration.ts';
import type { Database } from '../core/database.ts';
import type { DetectionRules } from '../core/detection/rules.ts';
import { RecordMaker } from '../core/record/record-maker.ts';
import { openDatabase } from '../infra/database/database.ts';
import { sha256 } from '../infra/secrets/sha256.ts';
import { type PlayedTape, runTape } from './tape-run.ts';

interface TapeRecordOptions {
  readonly rules: DetectionRules;
  /** How much later than paid keys the public sees an alert. */
  readonly freeDelayMs: number;
  /** From 0 to 1. */
  readonly onProgress?: (part: number) => void;
}

/** What was read of a tape, and its record at the end of the tape as JSON. */
interface TapeRecord extends PlayedTape {
  readonly text: string;
}

/** Plays a tape into a database in memory, and makes the record as the service does. Throws a `UserError` when the file is no tape. */
export async function recordOfTape(
  file: string,
  { rules, freeDelayMs, onProgress = () => {} }: TapeRecordOptions,
): Promise<TapeRecord> {
  const database = await openDatabase('sqlite::memory:');
  try {
    const played = await runTape({ database, file, rules, onProgress }, new AbortController().signal);
    return { ...played, text: await recordAt(played.until, database, { rules, freeDelayMs }) };
  } finally {
    await database.close();
  }
}

/** The record of a tape that was played up to `asOf`, as JSON. */
export async function recordAt(
  asOf: EpochMs,
  database: Database,
  { rules, freeDelayMs }: Omit<TapeRecordOptions, 'onProgress'>,
): Promise<string> {
  const { text } = await new RecordMaker(sha256).make(database, {
    asOf,
    publishedUntil: Number.POSITIVE_INFINITY,
    freeDelayMs,
    rules: rulesIdentity(rules, sha256),
    plan: rules.record,
  });
  return text;
}
