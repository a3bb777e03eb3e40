import type { LiveRow } from '../../../core/source/source.ts';
import type { EpochMs } from '../../../core/trade.ts';
import type { BadRow } from '../../sources/bad-row.ts';
import type { TokenMarket } from '../markets/token-memory.ts';
import { tradeLine } from '../trades/trade-line.ts';
import type { BlockFill } from './chain-block.ts';

/** Of collateral and shares alike. */
const UNIT = 1e6;

/** The row and line of a tape that the market's own interfaces give for this fill, with ordinal and role. */
export function rowOf({ fill, at }: BlockFill, market: TokenMarket, now: EpochMs): LiveRow | BadRow {
  const { transaction, wallet, side, tokenId, shares, usdc, ordinal, role } = fill;
  const { marketId, title, slug, eventSlug, outcome, outcomeIndex } = market;
  const raw = {
    ...{ proxyWallet: wallet, side, asset: tokenId, conditionId: marketId, size: Number(shares) / UNIT },
    ...{ price: Number(usdc) / Number(shares), timestamp: at / 1_000, title, slug, eventSlug },
    ...{ outcome, outcomeIndex },
    ...{ transactionHash: transaction, role, ...(ordinal > 1 && { n: ordinal }) },
  };
  return tradeLine(raw, now);
}
