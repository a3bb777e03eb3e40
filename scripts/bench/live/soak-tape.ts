import { LRUCache } from 'lru-cache';
import { generatedTape } from '../../../test/support/market/generated-tape.ts';
import { type MarketTape, retimed, type TapeTrade } from '../../../test/support/market/market-tape.ts';

const PER_SECOND = 5;
const START_S = Date.UTC(2026, 2, 10) / 1_000;
/** Half of the trades of ten minutes come in the first one. */
const ROUND_S = 600;
const BURST_S = 60;
const OLD_WALLETS = 5_000;
/** A new wallet makes one trade in so many, and three in all. */
const NEWCOMER_EVERY = 20;
const NEWCOMER_TRADES = 3;
const MARKETS = 400;
/** So many of them are settled, one after the other. */
const SETTLED = 40;
/** The simulator lists the newest trades again and again: two hours of them. */
const KEPT_TRADES = 65_536;

/** Five trades a second on average, 25 in bursts; wallets of long ago, and new ones all the time. */
export function soakTape(hours: number): MarketTape {
  const trades = Math.round(hours * 3_600 * PER_SECOND);
  const made = generatedTape({
    ...{ trades, perSecond: PER_SECOND, start: START_S },
    ...{ wallets: OLD_WALLETS, markets: MARKETS },
  });
  const tape = retimed(made, inBursts);
  const isNewcomers = (index: number) => index % NEWCOMER_EVERY === 0;
  const walletOf = (index: number) => (isNewcomers(index) ? newcomer(index) : made.walletOf(index));
  const make = (index: number): TapeTrade => {
    const trade = tape.trade(index);
    return isNewcomers(index) ? { ...trade, proxyWallet: newcomer(index), side: 'BUY' } : trade;
  };
  const kept = new LRUCache<number, TapeTrade>({ max: KEPT_TRADES, memoMethod: make });
  return {
    ...tape,
    walletOf,
    trade: (index) => kept.memo(index),
    markets: [...tape.markets, ...settlements(tape, hours * 3_600)],
    wallets: oldWallets(),
  };
}

function inBursts(seconds: number): number {
  const since = seconds - START_S;
  const round = Math.floor(since / ROUND_S) * ROUND_S;
  const done = (since - round) / ROUND_S;
  const within = done < 0.5 ? done * 2 * BURST_S : BURST_S + (done - 0.5) * 2 * (ROUND_S - BURST_S);
  return START_S + round + within;
}

function newcomer(index: number): string {
  const number = Math.floor(index / (NEWCOMER_EVERY * NEWCOMER_TRADES));
  return `0xf${number.toString(16).padStart(39, '0')}`;
}

function oldWallets(): MarketTape['wallets'] {
  const wallets = Array.from({ length: OLD_WALLETS }, (_, no) => `0x${no.toString(16).padStart(40, '0')}`);
  const createdAt = '2023-05-01T00:00:00.000Z';
  return new Map(wallets.map((proxyWallet) => [proxyWallet, { proxyWallet, createdAt }]));
}

function settlements({ markets }: MarketTape, seconds: number): MarketTape['markets'] {
  return markets.slice(-SETTLED).map((market, place) => ({
    ...market,
    ...{ closed: true, outcomePrices: '["1","0"]', umaResolutionStatus: 'resolved' },
    at: START_S + Math.floor(((place + 1) / (SETTLED + 1)) * seconds),
  }));
}
