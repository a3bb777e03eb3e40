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
 * - sold: `Sold 60 % at 71¢ on the market after 3 h: +$7,680`
 * - sold at 95¢ and more: `Cashed out: sold 97 % at 98¢ on the market after 2 days: +$4,300`
 * - paired with the other outcome: `Hedged 60 % by buying the other outcome on the market after 3 h`
 * - both, what was more first: `Sold or hedged 60 % on the market after 3 h, sales at 71¢: +$7,680`
 * - a cluster: `…; 2 of 3 wallets are out`
 * - a correction: `Exit 12 is withdrawn: trades that became known later show that more was held`
 */
export function exitWords(exit: DescribedExit): string {
  const { kind, corrects, hedgedShares, salePrice, profitUsdc, members } = exit;
  if (corrects !== null)
    return `Exit ${corrects} is withdrawn: trades that became known later show that more was held`;
  const part = partOut(exit);
  const where = `on the market after ${timeSpan(Math.max(0, exit.tradedAt - exit.alertedAt))}`;
  const out =
    members === null
      ? ''
      : `; ${members.out} of ${members.total} wallets ${members.out === 1 ? 'is' : 'are'} out`;
  if (salePrice === null) return `Hedged ${part} by buying the other outcome ${where}${out}`;
  const profit = `${profitUsdc === null ? '' : `: ${signedDollars(profitUsdc)}`}${out}`;
  const price = `at ${cents(salePrice)}`;
  return hedgedShares === 0
    ? `${SOLD[kind]} ${part} ${price} ${where}${profit}`
    : `${SOLD_OR_HEDGED[kind]} ${part} ${where}, sales ${price}${profit}`;
}

/** The same for a list, for an exit that holds: `sold 60 % at 71¢`, `hedged 60 %`, `sold or hedged 60 %, sales at 71¢`. */
export function exitBrief(exit: Exit): string {
  const { hedgedShares, salePrice } = exit;
  const part = partOut(exit);
  if (salePrice === null) return `hedged ${part}`;
  const price = `at ${cents(salePrice)}`;
  return hedgedShares === 0 ? `sold ${part} ${price}` : `sold or hedged ${part}, sales ${price}`;
}

/** How much of the peak is not held. Rounded down: less than everything must not read as everything. */
function partOut({ heldShares, peakShares }: DescribedExit): string {
  const left = peakShares === 0 ? 0 : heldShares / peakShares;
  return `${Math.floor(100 * (1 - left) + 1e-9)} %`;
}

const SOLD = { sold: 'Sold', cashed_out: 'Cashed out: sold', hedged: 'Sold' };
const SOLD_OR_HEDGED = {
  sold: 'Sold or hedged',
  cashed_out: 'Cashed out: sold or hedged',
  hedged: 'Hedged or sold',
};

/** What became of a position, in one sentence, as far as it is known. */
export function positionWords({ state, exits }: ThreadExits): string {
  const last = standingExits(exits).at(-1);
  if (last !== undefined) return `${exitWords(last)}.`;
  return state === 'unknown' ? UNKNOWN : NONE;
}

const UNKNOWN =
  'What became of the position is not known: trades were missed, or happened before the source began.';
const NONE = 'Less than half of the position was sold on the market, as far as trades show.';
