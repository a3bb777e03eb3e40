import { START } from '../rows.ts';

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
