import { expect } from 'vitest';
import { EMPTY_LOG, type LogEntry } from '../../src/core/alerts/log/log-entry.ts';
import { checkEntry, entryLine } from '../../src/core/alerts/log/seal.ts';
import type { Database } from '../../src/core/database.ts';
import { sha256 } from '../../src/infra/secrets/key-crypto.ts';

export async function wholeLog({ log }: Pick<Database, 'log'>): Promise<readonly LogEntry[]> {
  const entries = await log.after(0, 100_000);
  let previous: typeof EMPTY_LOG & { at?: number } = EMPTY_LOG;
  for (const entry of entries) {
    expect(checkEntry(entry, previous, sha256), `entry ${entry.seq}`).toBeNull();
    previous = entry;
  }
  return entries;
}

/** All lines of the log, which must be dense and unbroken. */
export async function logLines(database: Pick<Database, 'log'>): Promise<readonly string[]> {
  return (await wholeLog(database)).map(entryLine);
}
