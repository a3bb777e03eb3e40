import { rounded } from '../base/rounded.ts';
import type { FollowedThread } from './followed-market.ts';
import type { ExitKind, FoundExit } from './found-exit.ts';
import { MICROS } from './order.ts';

/** How most of the shares were disposed of. */
export function kindOf({ soldShares, cashedShares }: FollowedThread, hedged: number): ExitKind {
  const sold = soldShares - cashedShares;
  if (hedged > Math.max(sold, cashedShares)) return 'hedged';
  return cashedShares > sold ? 'cashed_out' : 'sold';
}

/** What was sold since the alert, at which mean price, and with which profit; null where nothing was. */
export function salesOf({
  soldShares,
  soldUsdc,
  soldCost,
}: FollowedThread): Pick<FoundExit, 'soldShares' | 'salePrice' | 'profitUsdc'> {
  const isNone = soldShares === 0;
  return {
    soldShares: soldShares / MICROS,
    salePrice: isNone ? null : rounded(soldUsdc / soldShares, 6),
    profitUsdc: isNone ? null : rounded((soldUsdc - soldCost) / MICROS, 2),
  };
}
