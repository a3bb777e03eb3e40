import { rounded } from '../../base/rounded.ts';
import { cents, signedDollars, timeSpan } from '../../base/text/formats.ts';
import type { Exit } from './exit.ts';
import type { ThreadExits } from './exit-reader.ts';

/** The fields of an exit that its description uses. */
export type DescribedExit = Pick<
  Exit,
  'heldShares' | 'peakShares' | 'soldShares' | 'salePrice' | 'profitUsdc' | 'tradedAt' | 'alertedAt'
>;

/**
 * An exit in words, for all human-readable texts. The percentage is that of the peak, the price and the profit those of all sales
 * since the alert, before fees:
 *
 * - sold: `Sold 60% at 71¢ after 3 h: +$7,680`
 * - paired with the other outcome: `Hedged 60% by buying the other outcome after 3 h`
 * - both: `76% closed after 7 days: part sold at 34.7¢ (−$66), the rest hedged`
 */
export function exitWords(exit: DescribedExit): string {
  const { salePrice, profitUsdc } = exit;
  const part = partOut(exit);
  const when = `after ${timeSpan(Math.max(0, exit.tradedAt - exit.alertedAt))}`;
  if (salePrice === null) return `Hedged ${part} by buying the other outcome ${when}`;
  const profit = profitUsdc === null ? null : signedDollars(profitUsdc);
  if (isPartHedged(exit))
    return `${part} closed ${when}: part sold at ${cents(salePrice)}${profit === null ? '' : ` (${profit})`}, the rest hedged`;
  return `Sold ${part} at ${cents(salePrice)} ${when}${profit === null ? '' : `: ${profit}`}`;
}

/** The same for a list: `sold 60% at 71¢`, `hedged 60%`, `60% closed, part sold at 71¢`. */
export function exitBrief(exit: DescribedExit): string {
  const { salePrice } = exit;
  const part = partOut(exit);
  if (salePrice === null) return `hedged ${part}`;
  return isPartHedged(exit)
    ? `${part} closed, part sold at ${cents(salePrice)}`
    : `sold ${part} at ${cents(salePrice)}`;
}

/** Whether at least a share of what is not held any more was not sold. */
function isPartHedged({ heldShares, peakShares, soldShares }: DescribedExit): boolean {
  return peakShares - heldShares - soldShares >= 1;
}

function partOut({ heldShares, peakShares }: DescribedExit): string {
  return `${percentOut(peakShares === 0 ? 0 : rounded(heldShares / peakShares, 4))}%`;
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
