import { type EpochMs, SECOND_MS } from '../../../../core/base/time/duration.ts';

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

function shortText({ probe, share }: ProbeResult): string {
  return share === null ? probeTitle(probe) : `${probeTitle(probe)} ${percent(share)}`;
}

/** `55 %`, rounded down, so that 100 % means all. */
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
  readonly seen: string;
  /** From 0 to 1, where the probe measures a share; null otherwise. */
  readonly share: number | null;
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

type IsWithin = (value: number, limit: number) => boolean;

const below: IsWithin = (value, limit) => value < limit;
/** With a tolerance for floats, as 1.03 - 1 is above 0.03. */
const atMost: IsWithin = (value, limit) => value <= limit + 1e-9;
const atLeast: IsWithin = (value, limit) => value >= limit;

function judging(isWithin: IsWithin, pass: number, warn: number): (value: number) => ProbeVerdict {
  return (value) => {
    if (isWithin(value, pass)) return 'pass';
    return isWithin(value, warn) ? 'warn' : 'fail';
  };
}

/** Verdicts on what the probes measure: times in milliseconds, shares from 0 to 1. */
export const VERDICTS = {
  /** Age of the newest listed row: 3 to 11 s on a healthy market (measured in September 2026). */
  rowAge: judging(atMost, 15 * SECOND_MS, 60 * SECOND_MS),
  /** Difference between two clocks, with either sign. Nothing corrects one. */
  skew: (skewMs: number) => judging(below, 2 * SECOND_MS, 10 * SECOND_MS)(Math.abs(skewMs)),
  /** Age of the newest block. One is produced every 1.5 to 2 s and known about a second later. */
  blockAge: judging(below, 10 * SECOND_MS, 30 * SECOND_MS),
  /** Number of logs divided by the number of listed rows of the same time. */
  logRatio: (ratio: number) => judging(atMost, 0.03, 0.1)(Math.abs(ratio - 1)),
  /** Share of wallets with a date. */
  walletDates: judging(atLeast, 0.7, 0.4),
  /** Share of markets that are described: one created seconds ago may not be yet. */
  markets: judging(atLeast, 0.9, 0.7),
  /** Share of markets whose resolution is answered. */
  resolutions: judging(atLeast, 0.7, 0.4),
  /** Two head pages requested seconds apart: neither may come from a cache. */
  headPage({ isDifferent, isCached }: { isDifferent: boolean; isCached: boolean }): ProbeVerdict {
    if (!isCached) return 'pass';
    return isDifferent ? 'warn' : 'fail';
  },
  /** Share of a page's rows that were already on the previous page: a few rows may move between two requests. */
  cursor(repeatedShare: number): ProbeVerdict {
    if (repeatedShare <= 0.05) return 'pass';
    return repeatedShare < 0.5 ? 'warn' : 'fail';
  },
};
