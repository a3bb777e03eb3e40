import { againstBare } from './against-bare.ts';
import type { Figure } from './figure.ts';

export function benchLatest(): Promise<readonly Figure[]> {
  return againstBare({
    path: '/api/v1/alerts/latest',
    ...{ alerts: 10_000, connections: 20, warmUpSeconds: 4, rounds: 7, roundSeconds: 2, aim: 0.85 },
  });
}

/** A key that was verified before: the smallest protected answer that needs no database. */
export function benchWarmKey(): Promise<readonly Figure[]> {
  return againstBare({
    path: '/api/v1/alerts/latest?limit=1',
    ...{ alerts: 1, connections: 20, warmUpSeconds: 2, rounds: 5, roundSeconds: 1.5 },
  });
}
