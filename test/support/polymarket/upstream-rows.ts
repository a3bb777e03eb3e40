import type { LiveRow } from '../../../src/core/trades/source/source.ts';
import { START, tradeOf } from '../rows.ts';

let transactions = 0;

/** A trade as the market's Data API (v1) and its stream write it; each is a fill of its own. */
export function upstreamTrade(given: Record<string, unknown> = {}) {
  transactions += 1;
  return {
    proxyWallet: '0x00000000000000000000000000000000000000aa',
    side: 'BUY',
    asset: '1001',
    conditionId: '0xm1',
    size: 1_000,
    price: 0.5,
    timestamp: START / 1_000,
    title: 'Will the measure pass?',
    slug: 'will-the-measure-pass',
    eventSlug: 'measures',
    outcome: 'Yes',
    outcomeIndex: 0,
    transactionHash: `0xf${transactions.toString(16)}`,
    ...given,
  };
}

/** A row as a live feed hands it over; its line is not looked at. */
export function liveTrade(given: Parameters<typeof tradeOf>[0] = {}): LiveRow {
  const trade = tradeOf(given);
  return { row: { kind: 'trade', at: trade.at, trade }, line: trade.transaction };
}
