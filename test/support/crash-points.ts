import { onTestFailed } from 'vitest';
import type { Database } from '../../src/core/database/database.ts';
import { seededRandom } from './random.ts';

/** Another one each day. `CRASH_SEED` repeats that of a day. */
const SEED = Number(process.env['CRASH_SEED'] ?? new Date().toISOString().slice(0, 10).replaceAll('-', ''));

/**
 * The numbers below `count` at which a test kills a process: all of them on SQLite. On MongoDB, where each takes a database
 * and many round trips, so many as `sampled`, one in each of as many equal parts, others each day. Must be called in a
 * test; the seed is printed when it fails.
 */
export function crashPoints(
  kind: Database['kind'],
  { count, sampled }: { readonly count: number; readonly sampled: number },
): readonly number[] {
  if (kind === 'sqlite') return Array.from({ length: count }, (_, point) => point);
  onTestFailed(() => console.error(`points of ${kind}: CRASH_SEED=${SEED}`));
  const random = seededRandom(SEED);
  const parts = Math.min(sampled, count);
  return Array.from({ length: parts }, (_, part) => Math.floor(((part + random()) * count) / parts));
}
