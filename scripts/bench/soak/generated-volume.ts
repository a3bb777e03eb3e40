import { DAY_MS, type EpochMs, HOUR_MS, SECOND_MS } from '../../../src/core/base/time/duration.ts';
import type { Trade, WalletFacts } from '../../../src/core/trades/trade.ts';
import { GeneratedMarkets, type MarketChoice } from './generated-markets.ts';
import { mixed, part } from './mixed.ts';

/** A round of 20 seconds has one of 100 rows, the others have 34 or 35: 38 a second on average. */
const ROUND_S = 20;
const ROUND_ROWS = 760;
const BURST_ROWS = 100;
/** Wallets that trade on one day, by Zipf's law: the first in rank makes a tenth of all rows. */
const WALLETS_A_DAY = 60_000;
/** Bots and the like, which trade every day. */
const REGULARS = 5_000;
/** Of all rows, those in price markets. */
const SHORT_SHARE = 0.6;
export const START: EpochMs = Date.UTC(2026, 2, 10);

/** The wallet of a rank: of the ranks below the regulars a third trade every day, the others on one day only. */
export interface GeneratedTrade {
  readonly trade: Trade;
  readonly walletNo: number;
}

/** Trades as the market lists them, generated one by one without being kept. Like parsed rows, they share no strings. */
export class GeneratedVolume {
  readonly #markets = new GeneratedMarkets();

  *ofSecond(second: number): Generator<GeneratedTrade> {
    for (let index = firstOf(second); index < firstOf(second + 1); index++) yield this.trade(index, second);
  }

  trade(index: number, second: number): GeneratedTrade {
    const at = START + second * SECOND_MS;
    const walletNo = walletNoOf(index, Math.floor((at - START) / DAY_MS));
    const market = this.#markets.pick(choiceOf(index, walletNo), second);
    const outcomeIndex = part(index, 4) < 0.5 ? 0 : 1;
    const price = 0.02 + Math.round(part(index, 5) * 960) / 1_000;
    const trade: Trade = {
      wallet: addressOf(walletNo),
      side: part(index, 6) < 0.65 ? 'BUY' : 'SELL',
      asset: copyOf(market.assets[outcomeIndex] as string),
      marketId: copyOf(market.id),
      shares: Math.round((usdcOf(index) / price) * 1e6) / 1e6,
      price,
      at,
      title: market.title,
      slug: market.slug,
      eventSlug: market.slug,
      outcome: outcomeIndex === 0 ? 'Yes' : 'No',
      outcomeIndex,
      transaction: `0x${word(mixed(index, 7))}${word(mixed(index, 8))}${index.toString(16).padStart(48, '0')}`,
      ordinal: 1,
      role: null,
    };
    return { trade, walletNo };
  }
}

function firstOf(second: number): number {
  const within = second % ROUND_S;
  const others = (ROUND_ROWS - BURST_ROWS) / (ROUND_S - 1);
  const before = within === 0 ? 0 : Math.round(BURST_ROWS + (within - 1) * others);
  return Math.floor(second / ROUND_S) * ROUND_ROWS + before;
}

/** Where in a list of markets: a regular anywhere, half of the others only in price markets and half in a few elections. */
function choiceOf(index: number, walletNo: number): MarketChoice {
  if (walletNo < REGULARS) return { isShort: part(index, 2) < SHORT_SHARE, place: part(index, 3) };
  if (part(walletNo, 2) < SHORT_SHARE) return { isShort: true, place: part(index, 3) };
  const most = 1 + Math.floor(part(walletNo, 15) ** 2 * 8);
  return { isShort: false, place: part(walletNo * 8 + Math.floor(part(index, 14) * most), 3) };
}

/** Median 12 USDC, mean 60. */
function usdcOf(index: number): number {
  const normal = Math.sqrt(-2 * Math.log(part(index, 9) + 1e-12)) * Math.cos(2 * Math.PI * part(index, 10));
  return Math.exp(2.5 + 1.8 * normal);
}

/** Rank is log-uniform, which is Zipf's law with exponent 1. */
function walletNoOf(index: number, day: number): number {
  const rank = Math.floor(WALLETS_A_DAY ** part(index, 1)) - 1;
  if (rank < REGULARS) return rank;
  const period = [0, day + 1, day + 1][rank % 3] as number;
  return rank + WALLETS_A_DAY * (period + 1_000 * (rank % 3));
}

/** The wallet's facts in the market: most wallets are old, and half of those that trade on one day only are new. */
export function factsOf({ trade, walletNo }: GeneratedTrade): WalletFacts {
  const isNew = walletNo >= WALLETS_A_DAY * 1_000 && part(walletNo, 11) < 0.5;
  const days = isNew ? part(walletNo, 12) * 10 : 100 + part(walletNo, 12) * 600;
  const createdAt = Math.floor((trade.at - days * DAY_MS) / HOUR_MS) * HOUR_MS;
  const marketsTraded = isNew
    ? Math.floor(part(walletNo, 13) * 4)
    : 10 + Math.floor(part(walletNo, 13) * 200);
  return { wallet: trade.wallet, createdAt, marketsTraded };
}

function addressOf(no: number): string {
  return `0x${[20, 21, 22, 23, 24].map((salt) => word(mixed(no, salt))).join('')}`;
}

function copyOf(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}

function word(value: number): string {
  return value.toString(16).padStart(8, '0');
}
