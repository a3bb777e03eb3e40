import { seededRandom } from './random.ts';

export type WireTrade = Readonly<Record<string, string | number>> & {
  readonly size: number;
  readonly price: number;
  readonly timestamp: number;
};

const START_SECONDS = Date.UTC(2025, 11, 2) / 1_000;
/** Buys of one outcome, 10 minutes apart, of which each gives one alert. */
const BUYS = [
  { wallet: 'a', usdc: 1_600 }, // fresh
  { wallet: 'a', usdc: 4_000 }, // fresh, more than twice as large
  { wallet: 'a', usdc: 200 }, // the third: fresh_accumulator
  { wallet: 'b', usdc: 1_200 }, // fresh
  { wallet: 'c', usdc: 300 }, // the third wallet: cluster
];
const PRICES = [0.1, 0.2, 0.25, 0.4, 0.5, 0.8];

/** 500 orders of 300 wallets in 100 markets, each in one row; ten markets at a time trade in the same seconds. */
export function wholeOrders(): WireTrade[] {
  const trades = Array.from({ length: 100 }, (_, market) =>
    BUYS.map(({ wallet, usdc }, index) => {
      const price = PRICES[market % PRICES.length] as number;
      return {
        proxyWallet: `0x${wallet}${market}`,
        side: 'BUY',
        asset: `${1_000 + market}`,
        conditionId: `0xm${market}`,
        size: Math.round(usdc / price),
        price,
        timestamp: START_SECONDS + Math.floor(market / 10) * 7_200 + index * 600,
        title: `Will measure ${market} pass?`,
        slug: `will-measure-${market}-pass`,
        outcome: 'Yes',
        outcomeIndex: 0,
        transactionHash: `0xt${market}-${index}`,
      };
    }),
  );
  return trades.flat().toSorted((a, b) => a.timestamp - b.timestamp);
}

/**
 * The same orders in 2 to 80 fills each over several transactions, at prices on both sides of the order's, the rows of a
 * second shuffled. Sizes are such that the sums are exact.
 */
export function splitOrders(orders: readonly WireTrade[], seed: number): WireTrade[] {
  const random = seededRandom(seed);
  return orders
    .flatMap((order) => fillsOf(order, random))
    .map((fill) => ({ fill, place: random() }))
    .toSorted((a, b) => a.fill.timestamp - b.fill.timestamp || a.place - b.place)
    .map(({ fill }) => fill);
}

function fillsOf(order: WireTrade, random: () => number): WireTrade[] {
  const pieces = piecesOf(order.size, 2 + Math.floor(random() * 39), random);
  const fills = pieces.flatMap((size) => {
    if (random() < 0.5) return { ...order, size };
    return [order.price - 0.01, order.price + 0.01].map((price) => ({ ...order, size: size / 2, price }));
  });
  const seen = new Map<number, number>();
  return fills.map((fill) => {
    // Two fills of one size in one transaction would be one fill that is reported twice.
    const count = (seen.get(fill.size) ?? Math.floor(random() * 3)) + 1;
    seen.set(fill.size, count);
    return { ...fill, transactionHash: `${order['transactionHash']}-${count}` };
  });
}

function piecesOf(size: number, count: number, random: () => number): number[] {
  const cuts = Array.from({ length: count - 1 }, () => 1 + Math.floor(random() * (size * 100 - 1)));
  const bounds = [...new Set([0, ...cuts, size * 100])].toSorted((a, b) => a - b);
  return bounds.slice(1).map((bound, index) => (bound - (bounds[index] as number)) / 100);
}
