import type { EpochMs } from '../../core/trade.ts';
import type { Line } from './line-splitter.ts';
import { readLines } from './lines.ts';
import { createRowParser } from './row-schema.ts';

/** The first time in a tape; null when it has none. `now`: the wall clock. */
export async function firstTime(file: string, now: EpochMs): Promise<EpochMs | null> {
  for await (const lines of readLines(file)) {
    for (const line of lines) {
      const at = timeOf(line, now);
      if (at !== null) return at;
    }
  }
  return null;
}

/** The largest time in a tape, which is read completely; null when it has none. */
export async function lastTime(file: string, now: EpochMs): Promise<EpochMs | null> {
  let last: EpochMs | null = null;
  for await (const lines of readLines(file)) {
    for (const line of lines) {
      const at = timeOf(line, now);
      if (at !== null && (last === null || at > last)) last = at;
    }
  }
  return last;
}

const parse = createRowParser(() => 'other');

/** Only of valid rows: a wrong time must not move the tape. Close rows and removed fills do not advance the time. */
function timeOf({ text }: Line, now: EpochMs): EpochMs | null {
  if (text === null) return null;
  const row = parse(text, now);
  return row.kind === 'bad' || row.kind === 'close' || row.kind === 'removed' ? null : row.at;
}
