import { SECOND_MS } from '../duration.ts';
import type { Verdict } from './probe-result.ts';

/** Up to where a figure passes, and from there up to where it is a warning. */
interface Bounds {
  readonly pass: number;
  readonly warn: number;
}

/** The newest row is 3 to 11 s old on a healthy market (measured in September 2026). */
const ROW_AGE_MS: Bounds = { pass: 15 * SECOND_MS, warn: 60 * SECOND_MS };
/** Below 2 s the skew is not corrected either. */
const SKEW_MS: Bounds = { pass: 2 * SECOND_MS, warn: 10 * SECOND_MS };
/** A block is made every 1.5 to 2 s, and known about a second later. */
const BLOCK_AGE_MS: Bounds = { pass: 10 * SECOND_MS, warn: 30 * SECOND_MS };
/** How far from 1 the number of logs may be from that of listed rows. */
const LOG_RATIO: Bounds = { pass: 0.03, warn: 0.1 };

const WALLET_DATES: Bounds = { pass: 0.7, warn: 0.4 };
/** A market made in the last seconds may not be described yet. */
const MARKETS_DESCRIBED: Bounds = { pass: 0.9, warn: 0.7 };
const RESOLUTIONS: Bounds = { pass: 0.7, warn: 0.4 };

/** Of the age of the newest listed row, in milliseconds. */
export const rowAgeVerdict = (ageMs: number): Verdict => atMost(ageMs, ROW_AGE_MS);
/** Of the difference between two clocks, in milliseconds and of either sign. */
export const skewVerdict = (skewMs: number): Verdict => below(Math.abs(skewMs), SKEW_MS);
/** Of the age of the newest block, in milliseconds. */
export const blockAgeVerdict = (ageMs: number): Verdict => below(ageMs, BLOCK_AGE_MS);
/** Of the number of logs divided by that of listed rows of the same time. */
export const logRatioVerdict = (ratio: number): Verdict => atMost(Math.abs(ratio - 1), LOG_RATIO);
/** Of the share of wallets with a date. */
export const walletDatesVerdict = (share: number): Verdict => atLeast(share, WALLET_DATES);
/** Of the share of markets that are described. */
export const marketsVerdict = (share: number): Verdict => atLeast(share, MARKETS_DESCRIBED);
/** Of the share of markets whose resolution is answered. */
export const resolutionsVerdict = (share: number): Verdict => atLeast(share, RESOLUTIONS);

/** Of two head pages asked some seconds apart: neither may come from a cache. */
export function headPageVerdict(pages: { isDifferent: boolean; isCached: boolean }): Verdict {
  if (!pages.isCached) return 'pass';
  return pages.isDifferent ? 'warn' : 'fail';
}

/** Of the share of a cursor page's rows that the page before had: a row or two may move while it is asked for. */
export function cursorVerdict(repeatedShare: number): Verdict {
  if (repeatedShare <= 0.05) return 'pass';
  return repeatedShare < 0.5 ? 'warn' : 'fail';
}

function below(value: number, { pass, warn }: Bounds): Verdict {
  if (value < pass) return 'pass';
  return value < warn ? 'warn' : 'fail';
}

// Floats: 1.03 - 1 is above 0.03.
const TOLERANCE = 1e-9;

function atMost(value: number, { pass, warn }: Bounds): Verdict {
  if (value <= pass + TOLERANCE) return 'pass';
  return value <= warn + TOLERANCE ? 'warn' : 'fail';
}

function atLeast(value: number, { pass, warn }: Bounds): Verdict {
  if (value >= pass) return 'pass';
  return value >= warn ? 'warn' : 'fail';
}
