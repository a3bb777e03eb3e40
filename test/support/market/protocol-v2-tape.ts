import { createHash } from 'node:crypto';
import { fixedShare } from './fixed-share.ts';
import { type MarketTape, type TapeMarket, tokensOf } from './market-tape.ts';

/** The same tape with a share of its markets (0 to 1) in Polymarket Protocol V2: ids of 31 bytes, tokens made of them. */
export function withProtocolV2(tape: MarketTape, share: number): MarketTape {
  const ids = new Map<string, string>();
  const tokens = new Map<string, string>();
  for (const market of tape.markets) {
    const { conditionId } = market;
    if (fixedShare(conditionId, 'protocol v2') >= share) continue;
    const id = ids.get(conditionId) ?? protocolV2Id(conditionId);
    ids.set(conditionId, id);
    for (const [outcome, token] of tokensOf(market).entries()) tokens.set(token, positionId(id, outcome));
  }
  const idOf = (id: string) => ids.get(id) ?? id;
  const tokenOf = (token: string) => tokens.get(token) ?? token;
  const renamed = (market: TapeMarket): TapeMarket => ({
    ...market,
    version: 'v2',
    conditionId: idOf(market.conditionId),
    clobTokenIds: JSON.stringify(tokensOf(market).map(tokenOf)),
  });
  return {
    ...tape,
    trade(index) {
      const trade = tape.trade(index);
      return { ...trade, conditionId: idOf(trade.conditionId), asset: tokenOf(trade.asset) };
    },
    markets: tape.markets.map((market) => (ids.has(market.conditionId) ? renamed(market) : market)),
  };
}

/** Module 1, 16 bytes that are the market's own, and zeros; the last byte is not Gamma's, which writes 31. */
function protocolV2Id(conditionId: string): string {
  const own = createHash('sha256').update(conditionId).digest('hex').slice(0, 32);
  return `0x${`01${own}`.padEnd(64, '0')}`;
}

/** The id as a number whose last byte is the outcome. */
const positionId = (id: string, outcome: number) => String(BigInt(id) + BigInt(outcome));
