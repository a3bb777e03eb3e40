import { LRUCache } from 'lru-cache';
import { DAY_MS, SECOND_MS } from '../../src/core/base/time/duration.ts';
import type { MarketTape, TapeMarket, TapeTrade, TapeWallet } from '../../test/support/market/market-tape.ts';
import {
  type GeneratedMarket,
  LONG_LIVED,
  longLived,
  SHORT_EVERY_S,
  shortLived,
} from './generated-markets.ts';
import {
  factsOf,
  firstOf,
  type GeneratedTrade,
  GeneratedVolume,
  START,
  secondOf,
} from './generated-volume.ts';

const START_S = START / SECOND_MS;
/** Above what the service lists again and again. */
const KEPT = 131_072;

/** So many hours of the generated volume for the market simulator, which asks for the same trades again and again. */
export function volumeTape(hours: number): MarketTape {
  const volume = new GeneratedVolume();
  const kept = new LRUCache<number, GeneratedTrade>({
    max: KEPT,
    memoMethod: (index) => volume.trade(index),
  });
  const madeOf = (index: number) => kept.memo(index);
  const count = firstOf(hours * 3_600);
  const transactionOf = (index: number) => `0x${index.toString(16).padStart(64, '0')}`;
  return {
    count,
    timeOf: (index) => START_S + secondOf(index),
    walletOf: (index) => madeOf(index).trade.wallet,
    conditionOf: (index) => madeOf(index).trade.marketId,
    transactionOf,
    trade: (index) => ({ ...tapeTrade(madeOf(index)), transactionHash: transactionOf(index) }),
    markets: marketsOf(hours),
    wallets: walletsOf(count, madeOf),
  };
}

function tapeTrade({ trade }: GeneratedTrade): Omit<TapeTrade, 'transactionHash'> {
  const { wallet, side, asset, marketId, shares, price, at, title, slug, outcome, outcomeIndex } = trade;
  return {
    ...{ proxyWallet: wallet, side, asset, conditionId: marketId, size: shares, price },
    ...{ timestamp: at / SECOND_MS, title, slug, eventSlug: slug, outcome, outcomeIndex },
  };
}

function marketsOf(hours: number): readonly TapeMarket[] {
  const short = Array.from({ length: Math.floor((hours * 3_600) / SHORT_EVERY_S) }, (_, no) =>
    tapeMarket(shortLived(no), START_S + Math.floor(no * SHORT_EVERY_S)),
  );
  return [...Array.from({ length: LONG_LIVED }, (_, no) => tapeMarket(longLived(no), START_S)), ...short];
}

function tapeMarket({ id, assets, title, slug }: GeneratedMarket, at: number): TapeMarket {
  return {
    ...{
      conditionId: id,
      question: title,
      slug,
      outcomes: '["Yes","No"]',
      clobTokenIds: JSON.stringify(assets),
    },
    ...{ outcomePrices: '["0.5","0.5"]', endDate: new Date((at + 90 * 86_400) * 1_000).toISOString() },
    ...{ tags: [{ id: '1', label: 'Politics', slug: 'politics' }], events: [{ slug, title }] },
    ...{ volume24hr: 100_000, closed: false, at },
  };
}

/** When each wallet that trades was created. */
function walletsOf(count: number, madeOf: (index: number) => GeneratedTrade): MarketTape['wallets'] {
  const wallets = new Map<string, TapeWallet>();
  for (let index = 0; index < count; index++) {
    const made = madeOf(index);
    const { wallet: proxyWallet } = made.trade;
    if (wallets.has(proxyWallet)) continue;
    const createdAt = factsOf(made).createdAt ?? made.trade.at - 400 * DAY_MS;
    wallets.set(proxyWallet, { proxyWallet, createdAt: new Date(createdAt).toISOString() });
  }
  return wallets;
}
