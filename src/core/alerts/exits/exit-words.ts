import { rounded } from '../../base/rounded.ts';
import { cents, signedDollars, timeSpan } from '../../base/text/formats.ts';
import type { Exit } from './exit.ts';
import { standingExits, type ThreadExits } from './exit-reader.ts';

/** The fields of an exit that its description uses. */
export type DescribedExit = Pick<
  Exit,
  | (
      | 'kind'
      | 'corrects'
      | 'heldShares'
      | 'peakShares'
      | 'hedgedShares'
      | 'salePrice'
      | 'profitUsdc'
      | 'members'
    )
  | ('tradedAt' | 'alertedAt')
>;

/**
 * An exit in words, for all human-readable texts. The percentage is that of the peak, the price and the profit those of all sales
 * since the first alert, before fees:
 *
 * - sold: `Sold 60 % at 71¢ after 3 h: +$7,680`
 * - sold at 95¢ and more: `Cashed out: sold 97 % at 98¢ after 2 days: +$4,300`
 * - paired with the other outcome: `Hedged 60 % by buying the other outcome after 3 h`
 * - both: `76 % closed after 7 days: part sold at 34.7¢ (−$66), the rest hedged`
 * - a cluster: `…; 2 of 3 wallets are out`
 * - a correction: `Exit 12 is withdrawn: trades that became known later show that more was held`
 */
export function exitWords(exit: DescribedExit): string {
  const { kind, corrects, hedgedShares, salePrice, profitUsdc, members } = exit;
  if (corrects !== null)
    return `Exit ${corrects} is withdrawn: trades that became known later show that more was held`;
  const part = partOut(exit);
  const when = `after ${timeSpan(Math.max(0, exit.tradedAt - exit.alertedAt))}`;
  const out =
    members === null
      ? ''
      : `; ${members.out} of ${members.total} wallets ${members.out === 1 ? 'is' : 'are'} out`;
  if (salePrice === null) return `Hedged ${part} by buying the other outcome ${when}${out}`;
  const profit = profitUsdc === null ? null : signedDollars(profitUsdc);
  const isCashedOut = kind === 'cashed_out';
  if (hedgedShares > 0)
    return `${isCashedOut ? 'Cashed out: ' : ''}${part} closed ${when}: part sold at ${cents(salePrice)}${profit === null ? '' : ` (${profit})`}, the rest hedged${out}`;
  return `${isCashedOut ? 'Cashed out: sold' : 'Sold'} ${part} at ${cents(salePrice)} ${when}${profit === null ? '' : `: ${profit}`}${out}`;
}

/** The same for a list, for an exit that holds: `sold 60 % at 71¢`, `hedged 60 %`, `60 % closed, part sold at 71¢`. */
export function exitBrief(exit: Exit): string {
  const { hedgedShares, salePrice } = exit;
  const part = partOut(exit);
  if (salePrice === null) return `hedged ${part}`;
  const price = `sold ${hedgedShares === 0 ? `${part} ` : ''}at ${cents(salePrice)}`;
  return hedgedShares === 0 ? price : `${part} closed, part ${price}`;
}

function partOut({ heldShares, peakShares }: DescribedExit): string {
  return `${percentOut(peakShares === 0 ? 0 : rounded(heldShares / peakShares, 4))} %`;
}

/** The whole percentage that is not held of a position. Rounded down: less than everything must not read as everything. */
export function percentOut(heldShare: number): number {
  return Math.floor(100 * (1 - heldShare) + 1e-9);
}

/** What became of a position, in one sentence, as far as it is known. */
export function positionWords({ state, exits }: ThreadExits): string {
  const last = standingExits(exits).at(-1);
  if (last !== undefined) return `${exitWords(last)}.`;
  return state === 'unknown' ? UNKNOWN : `${NO_SALE}.`;
}

const UNKNOWN =
  'What became of the position is not known: trades were missed, or happened before the source began.';
/** What is said of a position that was not left, as far as trades show. */
export const NO_SALE = 'No sale seen';
