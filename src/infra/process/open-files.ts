import { readdirSync, readFileSync, statSync } from 'node:fs';

/** Kept free for the database, outgoing requests and logs. */
const RESERVED = 32;
const COUNT_EVERY_MS = 250;
const FILES = '/proc/self/fd';

/** The limit of open files of this process (`ulimit -n`); null where the system does not tell it. */
export function openFilesLimit(): number | null {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return limit === undefined ? null : Number(limit);
  } catch {
    return null;
  }
}

export function connectionsWithin(limit: number): number {
  return Math.max(0, limit - 2 * RESERVED);
}

/** How many more files may be opened; null when unknown. Counted again at most every 250 ms. */
export function createFilesLeft(limit: number | null): () => number | null {
  let left = 0;
  let countedAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (limit === null) return null;
    const now = performance.now();
    if (now - countedAt >= COUNT_EVERY_MS) {
      countedAt = now;
      left = limit - RESERVED - openFiles(limit);
    }
    left -= 1;
    return left;
  };
}

/** Linux tells their number since 6.2; listing them takes a microsecond each, and needs a file as well: without one all are in use. */
function openFiles(limit: number): number {
  try {
    return statSync(FILES).size || readdirSync(FILES).length;
  } catch {
    return limit;
  }
}
