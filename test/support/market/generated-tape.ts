import { seededRandom } from '../random.ts';
import { type MarketTape, type TapeMarket, type TapeTrade, tapeOf } from './market-tape.ts';

const PER_HASH = 0x9e3779b1;

interface GeneratedTape {
  readonly trades: number;
  readonly perSecond: number;
  /** Epoch seconds. */
  readonly start: number;
  readonly wallets: number;
  readonly markets: number;
}

/** A tape of made-up trades at an even pace. */
export function generatedTape({ trades, perSecond, start, wallets, markets }: GeneratedTape): MarketTape {
  const mixed = (index: number, salt: number) => {
    const word = Math.imul((index + 1) ^ Math.imul(salt + 1, PER_HASH), 0x85ebca6b);
    return Math.imul(word ^ (word >>> 13), 0xc2b2ae35) >>> 0;
  };
  // A few wallets make most of the trades, as on the real market.
  const walletNo = (index: number) => Math.floor((mixed(index, 1) / 2 ** 32) ** 3 * wallets);

  function trade(index: number): TapeTrade {
    const random = seededRandom(mixed(index, 3));
    const market = mixed(index, 2) % markets;
    const outcomeIndex = random() < 0.5 ? 0 : 1;
    return {
      proxyWallet: `0x${walletNo(index).toString(16).padStart(40, '0')}`,
      side: random() < 0.6 ? 'BUY' : 'SELL',
      asset: tokenOf(market, outcomeIndex),
      conditionId: conditionNo(market),
      size: Math.round(10 ** (1 + random() * 3.5) * 100) / 100,
      price: Math.round((0.05 + random() * 0.9) * 1_000) / 1_000,
      timestamp: start + Math.floor(index / perSecond),
      ...namesOf(market),
      outcome: outcomeIndex === 0 ? 'Yes' : 'No',
      outcomeIndex,
      transactionHash: `0x${index.toString(16).padStart(64, '0')}`,
    };
  }

  const rows: object[] = [
    ...Array.from({ length: markets }, (_, no) => madeMarket(no, start)),
    ...Array.from({ length: trades }, (_, index) => trade(index)),
  ];
  return tapeOf(rows as Parameters<typeof tapeOf>[0]);
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
