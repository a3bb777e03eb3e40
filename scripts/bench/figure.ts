export interface Figure extends Aim {
  readonly what: string;
  readonly value: string;
}

export interface Aim {
  /** Empty where a figure only explains another. */
  readonly aim: string;
  /** Null where there is no aim, or where nothing could be measured. */
  readonly isMet: boolean | null;
}

export function figure(what: string, value: string, aim: Aim = { aim: '', isMet: null }): Figure {
  return { what, value, ...aim };
}

export function atLeast(value: number, least: number, show: (limit: number) => string = String): Aim {
  return { aim: `≥ ${show(least)}`, isMet: value >= least };
}

export function atMost(value: number, most: number, show: (limit: number) => string = String): Aim {
  return { aim: `≤ ${show(most)}`, isMet: value <= most };
}

export function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

export function ms(value: number): string {
  return `${value < 10 ? value.toFixed(2) : value.toFixed(value < 100 ? 1 : 0)} ms`;
}

export function inMs(value: number): string {
  return `${value} ms`;
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

export function seconds(startedAt: number): number {
  return (performance.now() - startedAt) / 1_000;
}

/** Processor time of this process. */
export function cpuSeconds(since?: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1e6;
}

const processStartedAt = performance.now();

export function progress(text: string): void {
  process.stderr.write(`${seconds(processStartedAt).toFixed(1).padStart(6)} s  ${text}\n`);
}

export function medianOver<Ours, Theirs>(
  ours: readonly Ours[],
  theirs: readonly Theirs[],
  compared: (our: Ours, their: Theirs) => number,
): number {
  return median(
    ours.flatMap((our, index) => (theirs[index] === undefined ? [] : [compared(our, theirs[index])])),
  );
}
