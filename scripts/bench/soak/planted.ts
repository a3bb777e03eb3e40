import type { EpochMs } from '../../../src/core/base/time/duration.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/core/base/time/duration.ts';
import type { Candidate } from '../../../src/core/detection/candidate.ts';
import type { Trade, WalletFacts } from '../../../src/core/trades/trade.ts';
import { longLived } from './generated-markets.ts';
import { addressOf, copyOf, START } from './generated-volume.ts';
import { part } from './mixed.ts';

/** What is planted each day of each kind. */
const A_DAY = 20;
const DAYS_OF_ACCUMULATOR = 5;
/** Separate markets, so that every cluster consists of planted wallets. */
const FIRST_MARKET = 1_000_000;
const FIRST_WALLET = 4_000_000_000;
const WALLETS_OF_CLUSTER = 4;

/** `large`: 6 buys of 600 USDC over 5 days. `small`: 20 of 135 USDC, so that for its first day it holds less than 250. */
export type PlantedKind = 'large' | 'small' | 'cluster';

interface PlantedTrade {
  readonly second: number;
  readonly trade: Trade;
}

/** Wallets that should be found, and how many were. */
export class Planted {
  readonly #days: number;
  readonly #due = new Map<number, PlantedTrade[]>();
  readonly #kinds = new Map<string, PlantedKind>();
  readonly #found = new Set<string>();
  #plantedDays = 0;

  constructor(days: number) {
    this.#days = days;
  }

  /** Trades of the second; the seconds must be requested in order. */
  ofSecond(second: number): readonly Trade[] {
    const day = Math.floor((second * SECOND_MS) / DAY_MS);
    if (day >= this.#plantedDays) this.#plant(this.#plantedDays++);
    const due = this.#due.get(second) ?? [];
    this.#due.delete(second);
    return due.map(({ trade }) => trade);
  }

  /** Null for a wallet that was not planted. */
  factsOf({ wallet, at }: Trade): WalletFacts | null {
    if (!this.#kinds.has(wallet)) return null;
    return { wallet, createdAt: at - DAY_MS, marketsTraded: 0 };
  }

  found({ type, wallet, details }: Candidate): void {
    const kind = this.#kinds.get(wallet);
    if (kind === undefined) return;
    if (kind === 'cluster' && type === 'cluster')
      for (const member of details.wallets ?? []) this.#found.add(member);
    if (kind !== 'cluster' && type === 'fresh_accumulator') this.#found.add(wallet);
  }

  /** Found of planted, by kind. */
  tally(): Readonly<Record<PlantedKind, string>> {
    const of = (kind: PlantedKind) => {
      const wallets = [...this.#kinds].flatMap(([wallet, its]) => (its === kind ? [wallet] : []));
      return `${wallets.filter((wallet) => this.#found.has(wallet)).length} of ${wallets.length}`;
    };
    return { large: of('large'), small: of('small'), cluster: of('cluster') };
  }

  #plant(day: number): void {
    const left = this.#days - day;
    for (let no = day * A_DAY; no < (day + 1) * A_DAY; no++) {
      if (left >= DAYS_OF_ACCUMULATOR) {
        this.#accumulate(no, 'large', { day, buys: 6, usdc: 600 });
        this.#accumulate(no, 'small', { day, buys: 20, usdc: 135 });
      }
      this.#cluster(no, day);
    }
  }

  #accumulate(
    no: number,
    kind: 'large' | 'small',
    { day, buys, usdc }: { readonly day: number; readonly buys: number; readonly usdc: number },
  ): void {
    const walletNo = FIRST_WALLET + no * 10 + (kind === 'large' ? 0 : 1);
    const begin = day * DAY_MS + part(walletNo, 50) * 8 * HOUR_MS;
    const apart = ((DAYS_OF_ACCUMULATOR - 0.5) * DAY_MS) / (buys - 1);
    for (let buy = 0; buy < buys; buy++)
      this.#buy(
        { walletNo, kind, market: FIRST_MARKET + no * 3 + (kind === 'large' ? 0 : 1), usdc },
        begin + buy * apart,
      );
  }

  #cluster(no: number, day: number): void {
    const begin = day * DAY_MS + part(no, 51) * 20 * HOUR_MS;
    for (let member = 0; member < WALLETS_OF_CLUSTER; member++) {
      const walletNo = FIRST_WALLET + no * 10 + 2 + member;
      this.#buy(
        { walletNo, kind: 'cluster', market: FIRST_MARKET + no * 3 + 2, usdc: 900 },
        begin + member * 12 * MINUTE_MS,
      );
    }
  }

  #buy(
    given: {
      readonly walletNo: number;
      readonly kind: PlantedKind;
      readonly market: number;
      readonly usdc: number;
    },
    sinceStart: number,
  ): void {
    const second = Math.floor(sinceStart / SECOND_MS);
    const market = longLived(given.market);
    const wallet = addressOf(given.walletNo);
    const at: EpochMs = START + second * SECOND_MS;
    const trade: Trade = {
      ...{ wallet, side: 'BUY', asset: copyOf(market.assets[0]), marketId: market.id, at },
      ...{ shares: given.usdc / 0.4, price: 0.4, title: market.title, slug: market.slug },
      ...{ eventSlug: market.slug, outcome: 'Yes', outcomeIndex: 0, ordinal: 1, role: null },
      transaction: `0xf${given.walletNo.toString(16)}${second.toString(16).padStart(50, '0')}`,
    };
    this.#kinds.set(wallet, given.kind);
    this.#due.set(second, [...(this.#due.get(second) ?? []), { second, trade }]);
  }
}
