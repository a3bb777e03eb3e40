import type { LogEntry } from './log-entry.ts';
import type { MonthSpan } from './log-months.ts';
import { entryLine } from './seal.ts';

/** Entries of one read: about 150 KB, and some milliseconds of the event loop. */
const PAGE = 100;

/** Reads at most `limit` entries after a sequence number, ascending. */
export type ReadEntries = (sequence: number, limit: number) => Promise<readonly LogEntry[]>;

/** The lines of the entries from `first` to `last`, each ended by a line feed, a page at a time. The next page is read when it is asked for. */
export async function* logPages(
  read: ReadEntries,
  { first, last }: Pick<MonthSpan, 'first' | 'last'>,
): AsyncGenerator<string, void> {
  let next = first;
  while (next <= last) {
    const entries = await read(next - 1, Math.min(PAGE, last - next + 1));
    if (entries[0]?.sequence !== next) throw new Error(`the log has no entry ${next}`);
    yield entries.map((entry) => `${entryLine(entry)}\n`).join('');
    next += entries.length;
  }
}
