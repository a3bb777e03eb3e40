/** One measured figure, as docs/benchmarks.md shows it. */
export interface Figure {
  readonly what: string;
  readonly value: string;
  readonly aim: string;
}

export function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** The value below which the given part of the values lies. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

export function seconds(startedAt: number): number {
  return (performance.now() - startedAt) / 1_000;
}
