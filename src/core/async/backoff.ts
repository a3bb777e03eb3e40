/** The longest waits double from `firstMs` up to `mostMs`. */
export interface BackoffPolicy {
  readonly firstMs: number;
  readonly mostMs: number;
}

/** Milliseconds to wait before attempt `count` + 1 (`count` from 1): the second half of the wait is by chance, so that not all come at once. */
export function backoffMs({ firstMs, mostMs }: BackoffPolicy, count: number, random: () => number): number {
  const longest = Math.min(mostMs, firstMs * 2 ** (count - 1));
  return longest * (0.5 + random() / 2);
}

/** For `backoffMs`, where only one of its kind waits: the longest wait each time. */
export const withoutJitter = (): number => 1;
