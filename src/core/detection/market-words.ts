import { readPositionId } from '../trades/position-id.ts';
import { outcomeNamed, type Trade, UNKNOWN_OUTCOME } from '../trades/trade.ts';
import type { Candidate } from './candidate.ts';
import type { KnownMarket } from './market-memory.ts';

/** Digits of an id that are shown when it has no name. */
const DIGITS = 6;

type MarketWords = Pick<Candidate, 'eventTitle' | 'eventSlug' | 'marketEvent' | 'outcome' | 'outcomeIndex'>;

/**
 * What an alert calls its market and outcome: as the market's row says by the token, else as the trade says, else by ids, such as
 * `market 0x1a2b3c…`, `outcome 1` (its index in the payouts, from 0) and `token 123456…`. Title and outcome are never empty.
 */
export function marketWordsOf(market: KnownMarket, fill: Trade): MarketWords {
  const eventSlug = market.slug || fill.slug;
  const outcomeIndex = outcomeIndexOf(market, fill);
  const isByToken = market.tokenIds.includes(fill.asset);
  const named = market.outcomes[outcomeIndex] ?? '';
  return {
    eventTitle: market.title || fill.title || eventSlug || `market ${fill.marketId.slice(0, 2 + DIGITS)}…`,
    eventSlug,
    marketEvent: market.eventSlug,
    outcome: (isByToken && named) || fill.outcome || named || nameOf(outcomeIndex, fill),
    outcomeIndex,
  };
}

/** An outcome that has no name yet. */
export function outcomeByIndex(outcomeIndex: number): string {
  return `outcome ${outcomeIndex}`;
}

function nameOf(outcomeIndex: number, { asset }: Trade): string {
  return outcomeIndex === UNKNOWN_OUTCOME ? `token ${asset.slice(0, DIGITS)}…` : outcomeByIndex(outcomeIndex);
}

/** The index of a trade's outcome in the market's payouts, by token, else by name, else as the trade states it. */
function outcomeIndexOf(market: KnownMarket, trade: Trade): number {
  const byToken = market.tokenIds.indexOf(trade.asset);
  if (byToken >= 0) return byToken;
  const position = readPositionId(trade.asset);
  if (position?.marketId === trade.marketId) return position.outcomeIndex;
  const byName = outcomeNamed(market.outcomes, trade.outcome);
  return byName >= 0 ? byName : trade.outcomeIndex;
}
