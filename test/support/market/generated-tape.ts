import { seededRandom } from '../random.ts';
import type { MarketTape, TapeMarket, TapeTrade } from './market-tape.ts';

const PER_HASH = 0x9e3779b1;

export interface GeneratedTape {
  readonly trades: number;
  readonly perSecond: number;
  /** Epoch seconds. */
  readonly start: number;
  readonly seed?: number;
  readonly wallets?: number;
  readonly markets?: number;
}

/** A tape of made-up trades at an even pace; a trade is made when it is asked for, so millions cost nothing. */
export function generatedTape({
  trades,
  perSecond,
  start,
  seed = 1,
  wallets = 50_000,
  markets = 500,
}: GeneratedTape): MarketTape {
  const mixed = (index: number, salt: number) => {
    const word = Math.imul((index + 1) ^ Math.imul(salt + seed, PER_HASH), 0x85ebca6b);
    return Math.imul(word ^ (word >>> 13), 0xc2b2ae35) >>> 0;
  };
  // A few wallets make most of the trades, as on the real market.
  const walletNo = (index: number) => Math.floor((mixed(index, 1) / 2 ** 32) ** 3 * wallets);
  const marketNo = (index: number) => mixed(index, 2) % markets;
  // One text for each, or an index over millions of trades takes half a minute.
  const walletNames = Array.from({ length: wallets }, (_, no) => `0x${no.toString(16).padStart(40, '0')}`);
  const conditionNames = Array.from({ length: markets }, (_, no) => conditionNo(no));
  const walletOf = (index: number) => walletNames[walletNo(index)] as string;
  const conditionOf = (index: number) => conditionNames[marketNo(index)] as string;
  const transactionOf = (index: number) => `0x${index.toString(16).padStart(64, '0')}`;
  const timeOf = (index: number) => start + Math.floor(index / perSecond);

  function trade(index: number): TapeTrade {
    const random = seededRandom(mixed(index, 3));
    const market = marketNo(index);
    const outcomeIndex = random() < 0.5 ? 0 : 1;
    return {
      proxyWallet: walletOf(index),
      side: random() < 0.6 ? 'BUY' : 'SELL',
      asset: tokenOf(market, outcomeIndex),
      conditionId: conditionOf(index),
      size: Math.round(10 ** (1 + random() * 3.5) * 100) / 100,
      price: Math.round((0.05 + random() * 0.9) * 1_000) / 1_000,
      timestamp: timeOf(index),
      ...namesOf(market),
      outcome: outcomeIndex === 0 ? 'Yes' : 'No',
      outcomeIndex,
      transactionHash: transactionOf(index),
    };
  }

  return {
    count: trades,
    timeOf,
    walletOf,
    conditionOf,
    transactionOf,
    trade,
    markets: Array.from({ length: markets }, (_, no) => madeMarket(no, start)),
    wallets: new Map(),
  };
}

const conditionNo = (no: number) => `0x${(no + 1).toString(16).padStart(64, '0')}`;
const tokenOf = (market: number, outcome: number) => String(1_000_000 + market * 2 + outcome);

function namesOf(no: number) {
  const slug = `will-candidate-${no}-win-the-election`;
  return { title: `Will candidate ${no} win the election?`, slug, eventSlug: slug };
}

function madeMarket(no: number, start: number): TapeMarket {
  const { title, slug } = namesOf(no);
  return {
    conditionId: conditionNo(no),
    question: title,
    slug,
    outcomes: '["Yes","No"]',
    clobTokenIds: JSON.stringify([tokenOf(no, 0), tokenOf(no, 1)]),
    outcomePrices: '["0.5","0.5"]',
    endDate: new Date((start + 90 * 86_400) * 1_000).toISOString(),
    tags: [{ id: '1', label: 'Politics', slug: 'politics' }],
    events: [{ slug, title }],
    volume24hr: 100_000,
    closed: false,
    at: start,
  };
}
