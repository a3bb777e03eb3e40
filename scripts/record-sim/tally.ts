/** A share of all worlds with its 95 % interval (Wilson 1927). */
export interface Share {
  readonly count: number;
  readonly of: number;
  readonly low: number;
  readonly high: number;
}

const NORMAL = 1.959964;

/** `count` of `of` with its interval, which holds the true share in about 95 % of the cases. */
export function shareOf(count: number, of: number): Share {
  const [part, square] = [count / of, NORMAL ** 2];
  const middle = (part + square / (2 * of)) / (1 + square / of);
  const half = (NORMAL * Math.sqrt((part * (1 - part)) / of + square / (4 * of ** 2))) / (1 + square / of);
  return { count, of, low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

export function isFew({ count, of, high }: Share): boolean {
  return count / of <= 0.02 && high <= 0.05;
}

export function percent({ count, of, low, high }: Share): string {
  const [share, from, until] = [count / of, low, high].map((value) => (value * 100).toFixed(1));
  return `${share} % [${from}, ${until}]`;
}
