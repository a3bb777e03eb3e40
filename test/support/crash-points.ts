import { onTestFailed } from 'vitest';
import type { Database } from '../../src/core/database.ts';
import { seededRandom } from './random.ts';

/** Another one each day. `CRASH_SEED` repeats that of a day; `CRASH_SEED=all` takes every point. */
const SEED = process.env['CRASH_SEED'] ?? new Date().toISOString().slice(0, 10).replaceAll('-', '');

/**
 * The numbers below `count` at which a test kills a process: all of them on SQLite. On MongoDB, where each takes a database
 * and many round trips, so many as `sampled`, one in each of as many equal parts, others each day. Must be called in a
 * test; the seed is printed when it fails.
 */
export function crashPoints(
  kind: Database['kind'],
  { count, sampled }: { readonly count: number; readonly sampled: number },
): readonly number[] {
  if (kind === 'sqlite' || SEED === 'all') return Array.from({ length: count }, (_, point) => point);
  const random = randomOf(kind);
  const parts = Math.min(sampled, count);
  return Array.from({ length: parts }, (_, part) => Math.floor(((part + random()) * count) / parts));
}

/** As `crashPoints`, of a run with many points of few kinds: on SQLite one of each kind, others each day. */
export function crashPointsOfKinds(
  kind: Database['kind'],
  { kinds, sampled }: { readonly kinds: readonly string[]; readonly sampled: number },
): readonly number[] {
  if (kind !== 'sqlite' || SEED === 'all') return crashPoints(kind, { count: kinds.length, sampled });
  const random = randomOf(kind);
  const points = Map.groupBy(kinds.keys(), (point) => kinds[point]);
  return [...points.values()].map((own) => own[Math.floor(random() * own.length)] as number);
}

function randomOf(kind: Database['kind']): () => number {
  onTestFailed(() => console.error(`points of ${kind}: CRASH_SEED=${SEED}`));
  return seededRandom(Number(SEED));
}
