import { ago } from '../../base/text/formats.ts';
import type { EpochMs } from '../../base/time/duration.ts';

/** One examination of the market. */
export interface DoctorReport {
  readonly startedAt: EpochMs;
  readonly endedAt: EpochMs;
  /** One for each probe, in the order of `PROBES`. */
  readonly results: readonly ProbeResult[];
}

/** The worst of its verdicts; skipped probes count as passed. */
export function verdictOf({ results }: DoctorReport): ProbeVerdict {
  const has = (verdict: ProbeVerdict) => results.some((result) => result.verdict === verdict);
  if (has('fail')) return 'fail';
  return has('warn') ? 'warn' : 'pass';
}

/** `10 pass, 1 warn (wallet dates 55 %), 1 skipped`. */
export function countsText({ results }: DoctorReport): string {
  const parts = (['pass', 'warn', 'fail', 'skipped'] as const).map((verdict) => {
    const those = results.filter((result) => result.verdict === verdict);
    const names = verdict === 'warn' || verdict === 'fail' ? ` (${those.map(shortText).join(', ')})` : '';
    return those.length === 0 ? null : `${those.length} ${verdict}${names}`;
  });
  return parts.filter((part) => part !== null).join(', ');
}

/** The same with its age, for example `12 pass, 6 h ago`. */
export function reportSummary(report: DoctorReport, now: EpochMs): string {
  return `${countsText(report)}, ${ago(report.endedAt, now)}`;
}

function shortText({ probe, share }: ProbeResult): string {
  return share === null ? probeTitle(probe) : `${probeTitle(probe)} ${percent(share)}`;
}

/** `55 %`, rounded down: 100 % is all of them. */
export function percent(share: number): string {
  return `${Math.floor(share * 100 + 1e-9)} %`;
}

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
export type ProbeVerdict = 'pass' | 'warn' | 'fail';

/** Result of a probe. */
export interface ProbeFinding {
  /** `skipped`: the probe did not run, for the reason in `seen`. */
  readonly verdict: ProbeVerdict | 'skipped';
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
