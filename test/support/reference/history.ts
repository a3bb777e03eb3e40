import type { Market, Side, Trade, TradeRole, WalletFacts } from '../../../src/core/trades/trade.ts';

/** A fill that was booked. Money and shares are whole millionths, so their sums are exact. */
export interface Fill {
  readonly trade: Trade;
  readonly second: number;
  readonly shares: number;
  readonly usdc: number;
  /** The booking it came with: bookings are numbered as they happen, one for each second that is closed. */
  booking: number;
}

export interface Order {
  readonly wallet: string;
  readonly marketId: string;
  readonly asset: string;
  readonly side: Side;
  readonly second: number;
  /** Of the first fill, for the text of an alert. */
  readonly trade: Trade;
  readonly fills: Fill[];
  /** Whether its market was left out when its last fills were booked. */
  isLeftOut: boolean;
  isAlerted: boolean;
  /** Its fills when its wallet was last found fresh: what is in the window of its outcome's clusters. */
  inWindow: readonly Fill[];
  role: TradeRole | null;
  /** It was judged while its wallet's age or markets were unknown, and nothing has been known of them since. */
  isEarly: boolean;
}

/** A row about a wallet or a market, and the last booking before it came. */
interface Noted<T> {
  readonly row: T;
  readonly booking: number;
}

/** Everything that ever came, in arrays. Nothing is summed up, nothing is forgotten. */
export class History {
  booking = 0;
  readonly #orders = {
    byWallet: new Lists<Order>(),
    byPosition: new Lists<Order>(),
    byMarket: new Lists<Order>(),
    byAsset: new Lists<Order>(),
  };
  readonly #wallets = new Lists<Noted<WalletFacts>>();
  readonly #markets = new Lists<Market>();
  readonly #removed = new Lists<Fill>();

  fillOf(trade: Trade, second: number): Fill {
    const shares = Math.round(trade.shares * 1e6);
    const usdc = Math.round(trade.shares * trade.price * 1e6);
    return { trade, second, shares, usdc, booking: this.booking };
  }

  addOrder(order: Order): void {
    this.addApart(order);
    this.#orders.byPosition.add(`${order.wallet}:${order.asset}`, order);
    this.#orders.byAsset.add(order.asset, order);
  }

  /** What was traded while the market is left out: a market of the wallet, and volume of the market. */
  addApart(order: Order): void {
    this.#orders.byWallet.add(order.wallet, order);
    this.#orders.byMarket.add(order.marketId, order);
  }

  addWallet(row: WalletFacts): void {
    this.#wallets.add(row.wallet, { row, booking: this.booking });
  }

  /** Nothing where the market has no order in that hour. */
  addRemoved(marketId: string, fill: Fill): void {
    const hour = (second: number) => Math.floor(second / 3600);
    const hasOrder = this.ofMarket(marketId).some(({ second }) => hour(second) === hour(fill.second));
    if (hasOrder) this.#removed.add(marketId, fill);
  }

  removedOf(marketId: string): readonly Fill[] {
    return this.#removed.of(marketId);
  }

  addMarket(row: Market): void {
    this.#markets.add(row.id, row);
  }

  ofWallet(wallet: string): readonly Order[] {
    return this.#orders.byWallet.of(wallet);
  }

  ofPosition(wallet: string, asset: string): readonly Order[] {
    return this.#orders.byPosition.of(`${wallet}:${asset}`);
  }

  ofMarket(marketId: string): readonly Order[] {
    return this.#orders.byMarket.of(marketId);
  }

  ofAsset(asset: string): readonly Order[] {
    return this.#orders.byAsset.of(asset);
  }

  walletRows(wallet: string): readonly Noted<WalletFacts>[] {
    return this.#wallets.of(wallet);
  }

  marketRows(marketId: string): readonly Market[] {
    return this.#markets.of(marketId);
  }
}

export class Lists<T> {
  readonly #lists = new Map<string, T[]>();

  add(key: string, item: T): void {
    const list = this.#lists.get(key);
    if (list === undefined) this.#lists.set(key, [item]);
    else list.push(item);
  }

  drop(key: string, item: T): void {
    this.#lists.set(
      key,
      this.of(key).filter((other) => other !== item),
    );
  }

  of(key: string): readonly T[] {
    return this.#lists.get(key) ?? [];
  }
}

export function roleOf(fills: readonly Fill[]): TradeRole | null {
  const [role = null, ...others] = new Set(fills.map(({ trade }) => trade.role));
  return others.length === 0 ? role : null;
}

/** What a removed fill adds to the fills of its order. */
export const negated = (fill: Fill): Fill => ({ ...fill, shares: -fill.shares, usdc: -fill.usdc });

/** The order that a removed fill was a part of: of its second, else the one before or after. */
export function orderOfRemoved(
  orders: readonly Order[],
  { second, shares }: Fill,
  fillsOf: (order: Order) => readonly Fill[],
): Order | undefined {
  for (const at of [second, second - 1, second + 1]) {
    const found = orders.findLast((order) => order.second === at && sharesOf(fillsOf(order)) >= shares);
    if (found !== undefined) return found;
  }
  return undefined;
}

export const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, number) => total + number, 0);

export const sharesOf = (fills: readonly Fill[]): number => sum(fills.map(({ shares }) => shares));
export const usdcOf = (fills: readonly Fill[]): number => sum(fills.map(({ usdc }) => usdc));

/** USDC a share, rounded to 6 decimals. */
export function priceOf(fills: readonly Fill[]): number {
  return Math.round((usdcOf(fills) / sharesOf(fills)) * 1e6) / 1e6;
}

export const totalUsdc = (orders: readonly Order[]): number => sum(orders.map(({ fills }) => usdcOf(fills)));
export const totalShares = (orders: readonly Order[]): number =>
  sum(orders.map(({ fills }) => sharesOf(fills)));

/** All shares bought less all sold, whether the orders count or not. */
export function netShares(orders: readonly Order[]): number {
  const of = (side: Side) => totalShares(orders.filter((order) => order.side === side));
  return of('BUY') - of('SELL');
}
