import { onTestFailed } from 'vitest';
import type { Database } from '../../src/core/database.ts';
import { seededRandom } from './random.ts';

/** Another one each day. `CRASH_SEED` repeats that of a day; `CRASH_SEED=all` takes every point. */
const SEED = process.env['CRASH_SEED'] ?? new Date().toISOString().slice(0, 10).replaceAll('-', '');

/**
 * The calls, by their numbers, at which a test kills a process: on SQLite one of each kind, others each day. On MongoDB, where
 * each takes a database and many round trips, so many as `sampled`, one in each of as many equal parts. Must be called in
 * a test; the seed is printed when it fails.
 */
export function crashPointsOfKinds(
  kind: Database['kind'],
  { kinds, sampled }: { readonly kinds: readonly string[]; readonly sampled: number },
): readonly number[] {
  if (SEED === 'all') return [...kinds.keys()];
  onTestFailed(() => console.error(`points of ${kind}: CRASH_SEED=${SEED}`));
  const random = seededRandom(Number(SEED));
  const parts = Math.min(sampled, kinds.length);
  if (kind === 'mongodb')
    return Array.from({ length: parts }, (_, part) => Math.floor(((part + random()) * kinds.length) / parts));
  const points = Map.groupBy(kinds.keys(), (point) => kinds[point]);
  return [...points.values()].map((own) => own[Math.floor(random() * own.length)] as number);
}
