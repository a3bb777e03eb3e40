/** The assumptions about the market that the doctor examines, in the order they are shown. */
export const PROBES = [
  'routes',
  'head_page',
  'freshness',
  'cursor',
  'wallet_dates',
  'markets',
  'resolutions',
  'trade_stream',
  'order_book_stream',
  'node_head',
  'node_logs',
  'clock_skew',
] as const;
export type ProbeName = (typeof PROBES)[number];

/** `warn`: the assumption holds in part, or alerts come later. `fail`: it does not hold. */
export type Verdict = 'pass' | 'warn' | 'fail';

/** What a probe found. */
export interface ProbeFinding {
  /** `skipped`: it was not asked, for the reason in `seen`. */
  readonly verdict: Verdict | 'skipped';
  /** The figure seen, in words. */
  readonly seen: string;
  /** From 0 to 1, where the probe measures a share; null otherwise. */
  readonly share: number | null;
  /** What each part of it showed, a line each. */
  readonly details?: readonly string[];
}

/** A finding with the probe that made it. */
export interface ProbeResult extends ProbeFinding {
  readonly probe: ProbeName;
  /** What to do about it; null for a probe that passed or was skipped. */
  readonly action: string | null;
}

/** The name of a probe as people read it. */
export function probeTitle(probe: ProbeName): string {
  return probe.replaceAll('_', ' ');
}
