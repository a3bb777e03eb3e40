/** The assumptions about the market that the doctor examines, in display order. */
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
  'node_exchanges',
  'clock_skew',
] as const;
export type ProbeName = (typeof PROBES)[number];

/** `warn`: the assumption holds partly, or alerts are late. `fail`: it does not hold. */
export type Verdict = 'pass' | 'warn' | 'fail';

/** Result of a probe. */
export interface ProbeFinding {
  /** `skipped`: the probe did not run, for the reason in `seen`. */
  readonly verdict: Verdict | 'skipped';
  /** The measured value, in words. */
  readonly seen: string;
  /** From 0 to 1, where the probe measures a share; null otherwise. */
  readonly share: number | null;
  /** One line for each part of the probe. */
  readonly details?: readonly string[];
}

/** A finding with the probe that made it. */
export interface ProbeResult extends ProbeFinding {
  readonly probe: ProbeName;
  /** What to do; null for a probe that passed or was skipped. */
  readonly action: string | null;
}

/** Display name of a probe. */
export function probeTitle(probe: ProbeName): string {
  return probe.replaceAll('_', ' ');
}
