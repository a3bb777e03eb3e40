import { parseArgs } from 'node:util';
import type { EpochMs } from '../core/trade.ts';
import { UserError } from '../core/user-error.ts';
import type { RecordingStart } from '../infra/sources/recording.ts';
import { PROGRAM } from './program.ts';

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

/** Null: help was requested. */
export function parseRecordOptions(args: readonly string[]): RecordCommandOptions | null {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      since: { type: 'string', default: 'start' },
      follow: { type: 'boolean', default: false },
      force: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return null;
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
