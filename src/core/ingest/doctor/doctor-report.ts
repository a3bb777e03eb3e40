import { ago } from '../../base/text/formats.ts';
import { type EpochMs, SECOND_MS } from '../../base/time/duration.ts';

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

interface Bounds {
  readonly pass: number;
  readonly warn: number;
}

/** The newest row is 3 to 11 s old on a healthy market (measured in September 2026). */
const ROW_AGE_MS: Bounds = { pass: 15 * SECOND_MS, warn: 60 * SECOND_MS };
/** A skew below 2 s is not corrected. */
const SKEW_MS: Bounds = { pass: 2 * SECOND_MS, warn: 10 * SECOND_MS };
/** A block is produced every 1.5 to 2 s and known about a second later. */
const BLOCK_AGE_MS: Bounds = { pass: 10 * SECOND_MS, warn: 30 * SECOND_MS };
/** How far the ratio of logs to listed rows may be from 1. */
const LOG_RATIO: Bounds = { pass: 0.03, warn: 0.1 };

const WALLET_DATES: Bounds = { pass: 0.7, warn: 0.4 };
/** A market created seconds ago may not be described yet. */
const MARKETS_DESCRIBED: Bounds = { pass: 0.9, warn: 0.7 };
const RESOLUTIONS: Bounds = { pass: 0.7, warn: 0.4 };

/** Verdict on the age of the newest listed row, in milliseconds. */
export const rowAgeVerdict = (ageMs: number): ProbeVerdict => atMost(ageMs, ROW_AGE_MS);
/** Verdict on the difference between two clocks, in milliseconds with either sign. */
export const skewVerdict = (skewMs: number): ProbeVerdict => below(Math.abs(skewMs), SKEW_MS);
/** Verdict on the age of the newest block, in milliseconds. */
export const blockAgeVerdict = (ageMs: number): ProbeVerdict => below(ageMs, BLOCK_AGE_MS);
/** Verdict on the number of logs divided by the number of listed rows of the same time. */
export const logRatioVerdict = (ratio: number): ProbeVerdict => atMost(Math.abs(ratio - 1), LOG_RATIO);
/** Verdict on the share of wallets with a date. */
export const walletDatesVerdict = (share: number): ProbeVerdict => atLeast(share, WALLET_DATES);
/** Verdict on the share of markets that are described. */
export const marketsVerdict = (share: number): ProbeVerdict => atLeast(share, MARKETS_DESCRIBED);
/** Verdict on the share of markets whose resolution is answered. */
export const resolutionsVerdict = (share: number): ProbeVerdict => atLeast(share, RESOLUTIONS);

/** Verdict on two head pages requested seconds apart: neither may come from a cache. */
export function headPageVerdict(pages: { isDifferent: boolean; isCached: boolean }): ProbeVerdict {
  if (!pages.isCached) return 'pass';
  return pages.isDifferent ? 'warn' : 'fail';
}

/** Verdict on the share of a page's rows that the page before had as well: a few rows may move between two requests. */
export function cursorVerdict(repeatedShare: number): ProbeVerdict {
  if (repeatedShare <= 0.05) return 'pass';
  return repeatedShare < 0.5 ? 'warn' : 'fail';
}

function below(value: number, { pass, warn }: Bounds): ProbeVerdict {
  if (value < pass) return 'pass';
  return value < warn ? 'warn' : 'fail';
}

// Floats: 1.03 - 1 is above 0.03.
const TOLERANCE = 1e-9;

function atMost(value: number, { pass, warn }: Bounds): ProbeVerdict {
  if (value <= pass + TOLERANCE) return 'pass';
  return value <= warn + TOLERANCE ? 'warn' : 'fail';
}

function atLeast(value: number, { pass, warn }: Bounds): ProbeVerdict {
  if (value >= pass) return 'pass';
  return value >= warn ? 'warn' : 'fail';
}
