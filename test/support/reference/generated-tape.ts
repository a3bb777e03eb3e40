import type { Market, Row, Trade } from '../../../src/core/trades/trade.ts';
import { seededRandom } from '../random.ts';
import { marketRow, START, tradeRow, walletRow } from '../rows.ts';

const DAY = 86_400_000;
const MARKETS = 7;
const THREE = ['Yes', 'No', 'Neither'];
const TWO = ['Yes', 'No'];
/** Around the steps of the odds and the prices that do not count. */
const PRICES = [0.01, 0.010_001, 0.1, 0.100_001, 0.2, 0.3, 0.35, 0.4, 0.5, 0.65, 0.7, 0.949_999, 0.95];
/** Around the amounts that the rules name, their halves and thirds. */
const AMOUNTS = [
  1, 50, 249.999_999, 250, 300, 500, 833.333_334, 999.999_999, 1_000, 1_250, 2_000, 2_500, 3_000, 5_000,
];
/** How far the next order lies from the one before, in milliseconds; below 0 is late. */
const STEPS = [0, 0, 0, 0, 400, 1_000, 1_000, 5_000, 60_000, 600_000, 1_800_000, 3_600_000, 5 * 3_600_000];
const DELAYS = [
  1_000,
  1_000,
  7_000,
  60_000,
  1_800_000,
  3_600_000,
  3_601_000,
  6 * 3_600_000,
  DAY,
  DAY + 1_000,
];

/** A small busy world, the same for the same seed: few wallets and markets, and everything a tape can do to an order. */
export function generatedTape(
  seed: number,
  length: number,
  habits?: Habits,
): { isComplete: boolean; rows: Row[] } {
  const world = new World(seed, habits);
  const rows: Row[] = world.opening();
  while (rows.length < length) rows.push(...world.next());
  return { isComplete: world.isComplete, rows };
}

/** How often, of 1, things happen in one of the worlds. */
interface Habits {
  readonly wallets: readonly [least: number, more: number];
  readonly toldFirst: number;
  readonly walletRows: number;
  readonly lateFills: number;
  /** Buys of the favourite outcome of the favourite market, so that positions and clusters grow. */
  readonly favourite: number;
  /** Late fills go to one of so many last fills. */
  readonly memory: number;
  readonly sales?: number;
  readonly outcomes?: readonly string[];
  /** Market rows with payouts. */
  readonly settled?: number;
}

const WIDE: Habits = {
  wallets: [4, 12],
  toldFirst: 0.7,
  walletRows: 0.02,
  lateFills: 0.1,
  favourite: 0.5,
  memory: 20,
};
const NARROW: Habits = {
  wallets: [3, 4],
  toldFirst: 0.2,
  walletRows: 0.04,
  lateFills: 0.25,
  favourite: 0.95,
  memory: 250,
};

/** A world of people who sell again, and of markets with two outcomes. */
export const TRADING: Habits = {
  ...WIDE,
  toldFirst: 1,
  favourite: 0.8,
  lateFills: 0.06,
  sales: 0.45,
  outcomes: TWO,
  settled: 0.002,
};

class World {
  readonly #random: () => number;
  readonly #habits: Habits;
  readonly #trades: Trade[] = [];
  readonly #wallets: readonly string[];
  readonly isComplete: boolean;
  #at = START;

  constructor(seed: number, habits?: Habits) {
    this.#random = seededRandom(seed);
    const chosen = this.#chance(0.6) ? WIDE : NARROW;
    this.#habits = habits ?? chosen;
    this.isComplete = this.#chance(0.5);
    const [least, more] = this.#habits.wallets;
    this.#wallets = Array.from({ length: least + this.#below(more) }, (_, n) => `0xw${n}`);
  }

  /** What most tapes begin with: markets, and facts about the wallets. */
  opening(): Row[] {
    const markets = Array.from({ length: MARKETS }, (_, n) => n).filter(() => this.#chance(0.8));
    const wallets = this.#wallets.filter(() => this.#chance(this.isComplete ? 0.2 : this.#habits.toldFirst));
    return [
      ...markets.map((market) => this.#marketRow(market, this.#chance(0.95) ? ['politics'] : ['sports'])),
      ...wallets.map((wallet) => this.#walletRow(wallet)),
    ];
  }

  next(): Row[] {
    const { walletRows, lateFills, memory, settled = 0 } = this.#habits;
    if (this.#chance(0.03))
      return [{ kind: 'close', at: this.#at + this.#pick([-DAY, 0, 0, 5_000, 2 * DAY]) }];
    if (this.#chance(walletRows)) return [this.#walletRow(this.#pick(this.#wallets))];
    if (this.#chance(0.01)) {
      return [this.#marketRow(this.#below(MARKETS), this.#pick([null, ['politics'], ['politics'], ['5m']]))];
    }
    if (settled > 0 && this.#chance(settled)) return [this.#settlement()];
    if (this.#chance(0.04) && this.#trades.length > 0)
      return [this.#repeat(this.#pick(this.#trades.slice(-100)))];
    if (this.#chance(0.06) && this.#trades.length > 0)
      return [this.#removed(this.#pick(this.#trades.slice(-this.#pick([5, memory]))))];
    if (this.#chance(lateFills) && this.#trades.length > 0) {
      return [this.#lateFill(this.#pick(this.#trades.slice(-memory)))];
    }
    this.#at += this.#pick(STEPS);
    return this.#order(this.#chance(0.1) ? this.#at - this.#pick(DELAYS) : this.#at);
  }

  #order(at: number): Row[] {
    const { favourite, sales = 0.15, outcomes = THREE } = this.#habits;
    const market = this.#chance(favourite) ? 0 : this.#below(MARKETS);
    const outcomeIndex = this.#chance(favourite) ? 0 : this.#below(outcomes.length);
    const fills = 1 + (this.#chance(0.3) ? this.#below(4) : 0);
    const usdc = this.#pick(AMOUNTS) / fills;
    const order = {
      wallet: this.#pick(this.#wallets),
      side: this.#chance(1 - sales) ? 'BUY' : 'SELL',
      asset: `${market}${outcomeIndex}`,
      marketId: `0xm${market}`,
      at,
      ...this.#titleOf(market),
      outcome: outcomes[outcomeIndex] as string,
      outcomeIndex,
    } as const;
    return Array.from({ length: fills }, () => {
      const price = this.#chance(0.9) ? this.#pick(PRICES) : this.#random();
      return this.#tradeRow({ ...order, ...this.#unlabelled(market), price, shares: usdc / price });
    });
  }

  /** One more fill of an order from before, some so large that they move its price to where it does not count. */
  #lateFill(of: Trade): Row {
    const [usdc, price] = this.#chance(0.1) ? [200_000, 0.97] : [this.#pick(AMOUNTS), this.#pick(PRICES)];
    return this.#tradeRow({ ...of, price, shares: usdc / price, transaction: undefined });
  }

  #repeat(trade: Trade): Row {
    const at = this.#chance(0.7) ? trade.at : this.#at;
    const ordinal = this.#chance(0.3) ? 2 : trade.ordinal;
    const repeated = { ...trade, at, ordinal };
    this.#trades.push(repeated);
    return { kind: 'trade', at, trade: repeated };
  }

  /** Some name a fill that never was, or one that was removed before. */
  #removed(trade: Trade): Row {
    const ordinal = this.#chance(0.1) ? 3 : trade.ordinal;
    return { kind: 'removed', at: trade.at, trade: { ...trade, ordinal } };
  }

  #tradeRow({
    transaction,
    ...given
  }: Partial<Omit<Trade, 'transaction'>> & { transaction?: undefined }): Row {
    const before = this.#trades.at(-1)?.transaction;
    const isSame = before !== undefined && this.#chance(0.3);
    const role = this.#pick([null, null, 'taker', 'maker'] as const);
    const row = tradeRow({ role, ...given, transaction: isSame ? before : `0xt${this.#trades.length}` });
    if (row.kind === 'trade') this.#trades.push(row.trade);
    return row;
  }

  #walletRow(wallet: string): Row {
    // Often on the edge of a step when the wallet buys in this second.
    const now = Math.floor(this.#at / 1_000) * 1_000;
    const age = this.#pick([0, 1, 3, 7, 10, 14, 14, 15]) * DAY + this.#pick([0, 0, 1, DAY / 2]);
    const createdAt = this.#chance(0.8) ? now - age : null;
    const marketsTraded = this.#chance(0.8) || createdAt === null ? this.#pick([0, 0, 0, 1, 2, 5]) : null;
    return walletRow({ wallet, createdAt, marketsTraded, ...this.#time() });
  }

  #marketRow(market: number, tags: Market['tags']): Row {
    const endsAt = this.#pick([null, this.#at, this.#at + DAY, this.#at + 2 * DAY]);
    const volume24h = this.#pick([null, null, 0, 20_000, 25_000, 1_000_000]);
    const { outcomes = THREE } = this.#habits;
    const tokenIds = this.#chance(0.7) ? outcomes.map((_, index) => `${market}${index}`) : [];
    const { title: question, slug } = this.#titleOf(market);
    const row = { id: `0xm${market}`, question, slug, outcomes, tokenIds, tags, endsAt, volume24h };
    return marketRow({ ...row, ...this.#time() });
  }

  #settlement(): Row {
    const row = this.#marketRow(this.#below(MARKETS), null);
    return row.kind === 'market' ? { ...row, market: { ...row.market, payouts: [1, 0] } } : row;
  }

  /** Some trades are listed before the market's own words are known; not where the title decides whether they count. */
  #unlabelled(market: number): Partial<Pick<Trade, 'title' | 'slug' | 'outcome' | 'outcomeIndex'>> {
    if (market === MARKETS - 1) return {};
    return {
      ...(this.#chance(0.2) && { title: '', slug: '' }),
      ...(this.#chance(0.2) && { outcome: '' }),
      ...(this.#chance(0.2) && { outcomeIndex: 999 }),
    };
  }

  #titleOf(market: number): { title: string; slug: string } {
    if (market === MARKETS - 1)
      return { title: 'Bitcoin Up or Down on May 2?', slug: 'bitcoin-up-or-down-on-may-2' };
    return { title: `Will measure ${market} pass?`, slug: `will-measure-${market}-pass` };
  }

  /** A row that is no trade may carry no time, the present, or one a little ahead. */
  #time(): { at?: number } {
    const ahead = this.#pick([null, 0, 0, 1_000]);
    return ahead === null ? {} : { at: this.#at + ahead };
  }

  #chance(probability: number): boolean {
    return this.#random() < probability;
  }

  #below(count: number): number {
    return Math.floor(this.#random() * count);
  }

  #pick<T>(items: readonly T[]): T {
    return items[this.#below(items.length)] as T;
  }
}
