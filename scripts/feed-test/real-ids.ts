import { createHash } from 'node:crypto';
import { type MarketTape, tokensOf } from '../../test/support/market/market-tape.ts';

const FILLS_OF_FIVE = [0, 0, 0, 1, 1];
/** Share of takers' rows: one in each transaction. */
export const TAKERS = 2 / 5;

/** The same tape with ids that are as long and as hard to compress as real ones, and two or three fills in a transaction. */
export function withRealIds(tape: MarketTape): MarketTape {
  const hashes = new Map<string, string>();
  const hash = (text: string) => {
    const known = hashes.get(text) ?? createHash('sha256').update(text).digest('hex');
    hashes.set(text, known);
    return known;
  };
  const wallet = (name: string) => `0x${hash(name).slice(0, 40)}`;
  const condition = (id: string) => `0x${hash(id)}`;
  const token = (id: string) => String(BigInt(`0x5${hash(id).slice(1)}`));
  const group = (index: number) => Math.floor(index / 5) * 2 + (FILLS_OF_FIVE[index % 5] ?? 0);
  const first = (index: number) => Math.floor(index / 5) * 5 + (index % 5 < 3 ? 0 : 3);
  const transactionOf = (index: number) => `0x${hash(`transaction ${group(index)}`)}`;
  return {
    ...tape,
    walletOf: (index) => wallet(tape.walletOf(index)),
    conditionOf: (index) => condition(tape.conditionOf(first(index))),
    transactionOf,
    trade(index) {
      const market = tape.trade(first(index));
      const { proxyWallet, side, size } = tape.trade(index);
      return {
        ...market,
        ...{ side, size, proxyWallet: wallet(proxyWallet), transactionHash: transactionOf(index) },
        conditionId: condition(market.conditionId),
        asset: token(market.asset),
      };
    },
    markets: tape.markets.map((market) => ({
      ...market,
      conditionId: condition(market.conditionId),
      clobTokenIds: JSON.stringify(tokensOf(market).map(token)),
    })),
  };
}
