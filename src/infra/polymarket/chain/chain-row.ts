import type { LiveRow } from '../../../core/source/source.ts';
import type { EpochMs } from '../../../core/trade.ts';
import type { BadRow } from '../../sources/bad-row.ts';
import type { TokenMarket } from '../markets/token-memory.ts';
import { tradeLine } from '../trades/trade-line.ts';
import type { BlockFill } from './chain-block.ts';

/** Collateral and shares have the same unit. */
const UNIT = 1e6;

/** The same row and line of a tape that the market's own APIs give for this fill, with ordinal and role added. */
export function rowOf({ fill, at }: BlockFill, market: TokenMarket, now: EpochMs): LiveRow | BadRow {
  const { transaction, wallet, side, tokenId, shares, usdc, ordinal, role } = fill;
  const { marketId, title, slug, eventSlug, outcome, outcomeIndex } = market;
  const price = Number(usdc) / Number(shares);
  const trade = { proxyWallet: wallet, side, asset: tokenId, size: Number(shares) / UNIT, price };
  const described = { conditionId: marketId, title, slug, eventSlug, outcome, outcomeIndex };
  const origin = { timestamp: at / 1_000, transactionHash: transaction, role };
  const raw = { ...trade, ...described, ...origin, ...(ordinal > 1 && { n: ordinal }) };
  return tradeLine(raw, now);
}
