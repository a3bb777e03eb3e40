/** The maximum delay doubles from `firstMs` up to `mostMs`. */
export interface BackoffPolicy {
  readonly firstMs: number;
  readonly mostMs: number;
}

/** Milliseconds before attempt `count` + 1 (`count` from 1). The second half of the delay is random, to spread retries. */
export function backoffMs({ firstMs, mostMs }: BackoffPolicy, count: number, random: () => number): number {
  const longest = Math.min(mostMs, firstMs * 2 ** (count - 1));
  return longest * (0.5 + random() / 2);
}

/** For `backoffMs`: always the maximum delay. */
export const withoutJitter = (): number => 1;
