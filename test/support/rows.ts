import type { Market, Row, Side, Trade, WalletFacts } from '../../src/core/trades/trade.ts';

export const START = Date.UTC(2026, 0, 2);

let transactions = 0;

/** A trade of 1,000 shares; `usdc` sets the shares from the price. */
export function tradeOf(given: Partial<Trade> & { usdc?: number } = {}): Trade {
  const { usdc, ...fields } = given;
  const price = fields.price ?? 0.5;
  transactions += 1;
  return {
    wallet: '0x00000000000000000000000000000000000000aa',
    side: 'BUY' as Side,
    asset: '1001',
    marketId: '0xm1',
    shares: usdc === undefined ? 1_000 : usdc / price,
    price,
    at: START,
    title: 'Will the measure pass?',
    slug: 'will-the-measure-pass',
    eventSlug: null,
    outcome: 'Yes',
    outcomeIndex: 0,
    transaction: `0xt${transactions}`,
    ordinal: 1,
    role: null,
    ...fields,
  };
}

export function tradeRow(given: Parameters<typeof tradeOf>[0] = {}): Row {
  const trade = tradeOf(given);
  return { kind: 'trade', at: trade.at, trade };
}

/** Closes all that is pending; the detector does not ask for its time. */
export function closeRow(at = START): Row {
  return { kind: 'close', at };
}

export function marketRow(given: Partial<Market> & { at?: number } = {}): Row {
  const { at, ...fields } = given;
  const market: Market = {
    id: '0xm1',
    question: 'Will the measure pass?',
    slug: 'will-the-measure-pass',
    eventSlug: null,
    outcomes: ['Yes', 'No'],
    tokenIds: ['1001', '1002'],
    category: 'politics',
    tags: ['politics'],
    endsAt: null,
    volume24h: null,
    payouts: null,
    ...fields,
  };
  return { kind: 'market', at: at ?? null, market };
}

export function walletRow(facts: Partial<WalletFacts> & { at?: number } = {}): Row {
  const { at, ...fields } = facts;
  return {
    kind: 'wallet',
    at: at ?? null,
    facts: {
      wallet: '0x00000000000000000000000000000000000000aa',
      createdAt: START,
      marketsTraded: 0,
      ...fields,
    },
  };
}
