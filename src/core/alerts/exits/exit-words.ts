import { rounded } from '../../base/rounded.ts';
import { capitalised, cents, signedDollars, timeSpan } from '../../base/text/formats.ts';
import type { Exit } from './exit.ts';
import type { ThreadExits } from './exit-reader.ts';

/**
 * An exit in words, for all human-readable texts: `exitBrief`, the time since the alert, and the profit of all sales since then,
 * before fees: `Sold 60% at 71¢ after 3 h: +$7,680`.
 */
export function exitWords(exit: Exit): string {
  const { profitUsdc, tradedAt, alertedAt } = exit;
  const profit = profitUsdc === null ? '' : `: ${signedDollars(profitUsdc)}`;
  return `${capitalised(exitBrief(exit))} after ${timeSpan(Math.max(0, tradedAt - alertedAt))}${profit}`;
}

/**
 * The same for a list. The percentage is that of the peak, the price that of all sales since the alert:
 *
 * - sold: `sold 60% at 71¢`
 * - paired with the other outcome: `hedged 60% by buying the other outcome`
 * - both: `76% closed, part sold at 34.7¢`
 */
export function exitBrief({ heldShares, peakShares, soldShares, salePrice }: Exit): string {
  const part = `${percentOut(rounded(heldShares / peakShares, 4))}%`;
  if (salePrice === null) return `hedged ${part} by buying the other outcome`;
  const isPartHedged = peakShares - heldShares - soldShares >= 1;
  return isPartHedged
    ? `${part} closed, part sold at ${cents(salePrice)}`
    : `sold ${part} at ${cents(salePrice)}`;
}

/** The whole percentage that is not held of a position. Rounded down: less than everything must not read as everything. */
export function percentOut(heldShare: number): number {
  return Math.floor(100 * (1 - heldShare) + 1e-9);
}

/** What became of a position, in one sentence, as far as it is known. */
export function positionWords({ state, exits }: ThreadExits): string {
  const last = exits.at(-1);
  if (last !== undefined) return `${exitWords(last)}.`;
  return state === 'unknown' ? UNKNOWN : `${NO_SALE}.`;
}

const UNKNOWN =
  'What became of the position is not known: trades were missed, or happened before the source began.';
/** What is said of a position that was not left, as far as trades show. */
export const NO_SALE = 'No sale seen';
