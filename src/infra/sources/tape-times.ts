import type { EpochMs } from '../../core/trade.ts';
import type { Line } from './line-splitter.ts';
import { readLines } from './lines.ts';
import { createRowParser } from './row-schema.ts';

/** The first time a tape names; null when it names none. `now`: the wall clock. */
export async function firstTime(file: string, now: EpochMs): Promise<EpochMs | null> {
  for await (const lines of readLines(file)) {
    for (const line of lines) {
      const at = timeOf(line, now);
      if (at !== null) return at;
    }
  }
  return null;
}

/** The largest time a tape names, for which all of it is read; null when it names none. */
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

/** Only of rows that will be used: a broken time must not move the tape. Close rows and removed fills never move its time. */
function timeOf({ text }: Line, now: EpochMs): EpochMs | null {
  if (text === null) return null;
  const row = parse(text, now);
  return row.kind === 'bad' || row.kind === 'close' || row.kind === 'removed' ? null : row.at;
}
