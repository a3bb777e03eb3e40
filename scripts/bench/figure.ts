/** One measured figure, as docs/benchmarks.md shows it. */
export interface Figure {
  readonly what: string;
  readonly value: string;
  /** Empty where a figure only explains another. */
  readonly aim: string;
  /** Null where there is no aim, or where nothing could be measured. */
  readonly isMet: boolean | null;
}

/** A figure that explains another. */
export function note(what: string, value: string): Figure {
  return { what, value, aim: '', isMet: null };
}

export function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/** With as many digits as say something. */
export function ms(value: number): string {
  return `${value < 10 ? value.toFixed(2) : value.toFixed(value < 100 ? 1 : 0)} ms`;
}

export function signedPercent(share: number): string {
  return `${share >= 0 ? '+' : '−'}${Math.abs(share * 100).toFixed(1)} %`;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** The quantile: the value below which the given share of the values lies. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

export function seconds(startedAt: number): number {
  return (performance.now() - startedAt) / 1_000;
}
