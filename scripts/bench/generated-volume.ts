import { createHash } from 'node:crypto';
import { DAY_MS, type EpochMs, HOUR_MS, SECOND_MS } from '../../src/core/base/time/duration.ts';
import type { Trade, WalletFacts } from '../../src/core/trades/trade.ts';
import { seededRandom } from '../../test/support/random.ts';

/** A second of 20 has 100 rows, the others have 35: 38 a second on average. */
const BURST = { everySeconds: 20, rows: 100 };
const ROWS = 35;
/** Wallets that trade on the day, by Zipf's law: the first in rank makes a tenth of all rows. */
const WALLETS = 60_000;
/** Bots and the like, which trade in all markets. */
const REGULARS = 5_000;
/** Of all rows, those in price markets. */
const SHORT_SHARE = 0.6;
/** 24,000 new price markets a day, each traded for about a quarter of an hour. */
const SHORT_EVERY_SECONDS = 3.6;
const SHORT_LIVED = 250;
/** Markets that are traded all the time, by Zipf's law. */
const LONG_LIVED = 4_000;
export const START: EpochMs = Date.UTC(2026, 2, 10);

export interface GeneratedTrade {
  readonly trade: Trade;
  /** Its rank among the wallets. */
  readonly wallet: number;
}

/** A day of trades as the market lists them, made one by one without being kept. Like parsed rows, they share no strings. */
export class GeneratedVolume {
  readonly #random = seededRandom(1);

  ofSecond(second: number): readonly GeneratedTrade[] {
    const rows = second % BURST.everySeconds === 0 ? BURST.rows : ROWS;
    return Array.from({ length: rows }, () => {
      const wallet = this.#zipf(WALLETS);
      return { trade: this.#trade(wallet, second), wallet };
    });
  }

  #trade(wallet: number, second: number): Trade {
    const market = this.#marketOf(wallet, second);
    const outcomeIndex = this.#random() < 0.5 ? 0 : 1;
    const price = 0.02 + Math.round(this.#random() * 960) / 1_000;
    return {
      wallet: `0x${digest(`wallet ${wallet}`).slice(0, 40)}`,
      side: this.#random() < 0.65 ? 'BUY' : 'SELL',
      asset: BigInt(`0x${digest(`${market} ${outcomeIndex}`)}`).toString(),
      marketId: `0x${digest(market)}`,
      shares: Math.round((this.#usdc() / price) * 1e6) / 1e6,
      price,
      at: START + second * SECOND_MS,
      title: `Will ${market} come true?`,
      slug: market.replaceAll(' ', '-'),
      eventSlug: market.replaceAll(' ', '-'),
      outcome: outcomeIndex === 0 ? 'Yes' : 'No',
      outcomeIndex,
      transaction: `0x${digest(String(this.#random()))}`,
      ordinal: 1,
      role: null,
    };
  }

  /** A regular trades anywhere; of the others some only in price markets, and some in a few elections. */
  #marketOf(wallet: number, second: number): string {
    const isRegular = wallet < REGULARS;
    if ((isRegular ? this.#random() : seededRandom(wallet)()) < SHORT_SHARE) {
      const newest = Math.floor(second / SHORT_EVERY_SECONDS);
      return `bitcoin up or down ${newest - Math.floor(this.#random() ** 2 * SHORT_LIVED)}`;
    }
    if (isRegular) return `election ${this.#zipf(LONG_LIVED)}`;
    const own = seededRandom(wallet * 8 + Math.floor(this.#random() ** 2 * 8));
    return `election ${zipf(LONG_LIVED, own())}`;
  }

  /** Median 12 USDC, mean 60. */
  #usdc(): number {
    const normal = Math.sqrt(-2 * Math.log(1 - this.#random())) * Math.cos(2 * Math.PI * this.#random());
    return Math.exp(2.5 + 1.8 * normal);
  }

  #zipf(count: number): number {
    return zipf(count, this.#random());
  }
}

/** Most wallets are old; of those that trade in few markets a third are new. */
export function factsOf({ trade, wallet }: GeneratedTrade): WalletFacts {
  const random = seededRandom(wallet + WALLETS);
  const isNew = wallet >= REGULARS && random() < 1 / 3;
  const days = isNew ? random() * 10 : 100 + random() * 600;
  return {
    wallet: trade.wallet,
    createdAt: Math.floor((trade.at - days * DAY_MS) / HOUR_MS) * HOUR_MS,
    marketsTraded: Math.floor(isNew ? random() * 4 : 10 + random() * 200),
  };
}

/** Rank is log-uniform, which is Zipf's law with exponent 1. */
function zipf(count: number, part: number): number {
  return Math.floor(count ** part) - 1;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
