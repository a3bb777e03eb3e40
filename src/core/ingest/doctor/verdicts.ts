import { SECOND_MS } from '../../base/time/duration.ts';
import type { ProbeVerdict } from './doctor-report.ts';

/** Limits of a pass and of a warning. */
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
