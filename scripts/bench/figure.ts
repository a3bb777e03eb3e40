/** A line of what a section measured. */
export function figure(what: string, value: string, aim?: string): string {
  return `${what}: ${value}${aim === undefined ? '' : `  [aim ${aim}]`}`;
}

export function atLeast(value: number, least: number, unit = ''): string {
  return `≥ ${least}${unit}${value >= least ? '' : ': MISSED'}`;
}

export function atMost(value: number, most: number, unit = ''): string {
  return `≤ ${most}${unit}${value <= most ? '' : ': MISSED'}`;
}

export function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

export function ms(value: number): string {
  return `${value < 10 ? value.toFixed(2) : value.toFixed(value < 100 ? 1 : 0)} ms`;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

export function seconds(startedAt: number): number {
  return (performance.now() - startedAt) / 1_000;
}

const processStartedAt = performance.now();

export function progress(text: string): void {
  process.stderr.write(`${seconds(processStartedAt).toFixed(1).padStart(6)} s  ${text}\n`);
}
