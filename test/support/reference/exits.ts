import type { ExitLevel, FoundExit } from '../../../src/core/detection/found-exit.ts';
import type { DetectionRules } from '../../../src/core/detection/rules.ts';
import type { Market, Side } from '../../../src/core/trades/trade.ts';

/** What a wallet did in an outcome in one second, or a fill that was taken back. */
export interface Movement {
  readonly wallet: string;
  readonly asset: string;
  readonly side: Side;
  readonly second: number;
  readonly shares: number;
  readonly usdc: number;
}

interface Seed {
  readonly asset: string;
  readonly shares: number;
  readonly usdc: number;
}

export interface Beginning {
  readonly asset: string;
  /** Null for clusters. */
  readonly wallet: string | null;
  readonly second: number;
  readonly outcome: string;
  readonly outcomeIndex: number;
  /** What each wallet holds; null where it is not known. */
  readonly members: ReadonlyMap<string, readonly Seed[] | null>;
}

interface Thread {
  readonly first: Beginning;
  newest: Beginning;
  readonly members: Set<string>;
  peak: number;
  readonly made: Set<ExitLevel>;
  readonly sales: { shares: number; usdc: number; cost: number };
}

interface Followed {
  isBinary: boolean;
  /** By wallet, then by asset. */
  readonly holdings: Map<string, Map<string, { shares: number; usdc: number }>>;
  threads: Thread[];
}

/** What became of the threads of each market that an alert named, until it is settled. */
export class Exits {
  readonly #rules: DetectionRules['exits'];
  readonly #markets = new Map<string, Followed>();
  readonly #settled = new Set<string>();

  constructor(rules: DetectionRules['exits']) {
    this.#rules = rules;
  }

  /** Whether the position is known. */
  follow(marketId: string, of: Beginning, isBinary: boolean): boolean {
    if (this.#settled.has(marketId)) return false;
    const market: Followed = this.#markets.get(marketId) ?? {
      isBinary,
      holdings: new Map(),
      threads: [],
    };
    this.#markets.set(marketId, market);
    const isThis = ({ first }: Thread) => first.asset === of.asset && first.wallet === of.wallet;
    if ([...of.members].some(([wallet, seeds]) => seeds === null && !market.holdings.has(wallet))) {
      market.threads = market.threads.filter((thread) => !isThis(thread));
      return false;
    }
    for (const [wallet, seeds] of of.members)
      if (!market.holdings.has(wallet))
        market.holdings.set(
          wallet,
          new Map((seeds ?? []).map(({ asset, shares, usdc }) => [asset, { shares, usdc }])),
        );
    const known = market.threads.find(isThis);
    const thread = known ?? {
      first: of,
      newest: of,
      members: new Set<string>(),
      peak: 0,
      made: new Set<ExitLevel>(),
      sales: { shares: 0, usdc: 0, cost: 0 },
    };
    if (known === undefined) market.threads.push(thread);
    thread.newest = of;
    for (const wallet of of.members.keys()) thread.members.add(wallet);
    thread.peak = Math.max(thread.peak, heldIn(market, thread));
    return true;
  }

  learn({ id, outcomes, payouts }: Market): void {
    const market = this.#markets.get(id);
    if (market !== undefined) market.isBinary = outcomes.length === 2;
    if (payouts === null) return;
    this.#settled.add(id);
    this.#markets.delete(id);
  }

  /** The exits that the orders of one second make: wallets before clusters, then by key. */
  judge(second: number, orders: ReadonlyMap<string, readonly Movement[]>): FoundExit[] {
    const found = [...orders].flatMap(([marketId, all]) => {
      const market = this.#markets.get(marketId);
      const theirs = all.filter(({ wallet }) => market?.holdings.has(wallet));
      if (market === undefined) return [];
      for (const order of theirs) book(market, order);
      return market.threads.flatMap((thread) => {
        const own = theirs.filter(({ wallet }) => thread.members.has(wallet));
        const lowering = own.filter(({ side, asset }) =>
          side === 'SELL' ? asset === thread.first.asset : asset !== thread.first.asset,
        );
        const last = lowering.at(-1) ?? own.at(-1);
        return last === undefined ? [] : this.#judge(marketId, thread, { wallet: last.wallet, second });
      });
    });
    return found.toSorted((a, b) => Number(a.isCluster) - Number(b.isCluster) || (a.key < b.key ? -1 : 1));
  }

  remove(marketId: string, fill: Movement): void {
    const market = this.#markets.get(marketId);
    if (market === undefined || !market.holdings.has(fill.wallet)) return;
    const before = new Map(market.threads.map((thread) => [thread, heldIn(market, thread)]));
    takeBack(market, fill);
    for (const [thread, held] of before) {
      const now = heldIn(market, thread);
      if (now < held) thread.peak -= held - now;
      thread.peak = Math.max(thread.peak, now);
    }
  }

  #judge(
    marketId: string,
    thread: Thread,
    { wallet, second }: { readonly wallet: string; readonly second: number },
  ): FoundExit[] {
    const held = heldIn(this.#markets.get(marketId) as Followed, thread);
    thread.peak = Math.max(thread.peak, held);
    const { first, newest, peak, made, sales } = thread;
    const isAtMost = (part: number) => peak > 0 && held <= part * peak;
    const level = isAtMost(this.#rules.out) ? 'out' : 'half';
    if (made.has('out') || made.has(level) || !isAtMost(this.#rules[level])) return [];
    made.add(level);
    const name = first.wallet === null ? `c:${first.asset}` : `w:${first.wallet}:${first.asset}`;
    const hasSales = sales.shares > 0;
    return [
      {
        key: `x:${name}:${level}`,
        level,
        isCluster: first.wallet === null,
        wallet,
        marketId,
        outcome: newest.outcome,
        outcomeIndex: newest.outcomeIndex,
        tradedAt: second * 1000,
        alertedAt: first.second * 1000,
        heldShares: held / 1e6,
        peakShares: peak / 1e6,
        soldShares: sales.shares / 1e6,
        salePrice: hasSales ? Math.round((sales.usdc / sales.shares) * 1e6) / 1e6 : null,
        profitUsdc: hasSales ? Math.round(((sales.usdc - sales.cost) / 1e6) * 100) / 100 + 0 : null,
      },
    ];
  }
}

function heldIn({ isBinary, holdings }: Followed, { first, members }: Thread): number {
  let held = 0;
  for (const wallet of members) {
    const outcomes = [...(holdings.get(wallet) ?? [])];
    const own = outcomes.find(([asset]) => asset === first.asset)?.[1].shares ?? 0;
    let others = 0;
    for (const [asset, { shares }] of outcomes) if (asset !== first.asset) others += shares;
    held += isBinary ? own - Math.min(own, others) : own;
  }
  return held;
}

function outcomeOf(market: Followed, { wallet, asset }: Movement) {
  const holding = market.holdings.get(wallet) as Map<string, { shares: number; usdc: number }>;
  const outcome = holding.get(asset) ?? { shares: 0, usdc: 0 };
  holding.set(asset, outcome);
  return outcome;
}

function book(market: Followed, order: Movement): void {
  const outcome = outcomeOf(market, order);
  if (order.side === 'BUY') {
    outcome.shares += order.shares;
    outcome.usdc += order.usdc;
    return;
  }
  const shares = Math.min(order.shares, outcome.shares);
  if (shares === 0) return;
  const cost = Math.round((outcome.usdc * shares) / outcome.shares);
  outcome.shares -= shares;
  outcome.usdc -= cost;
  countSale(market, order, { shares, usdc: Math.round((order.usdc * shares) / order.shares), cost });
}

function takeBack(market: Followed, fill: Movement): void {
  const outcome = outcomeOf(market, fill);
  if (fill.side === 'BUY') {
    outcome.shares = Math.max(0, outcome.shares - fill.shares);
    outcome.usdc = outcome.shares === 0 ? 0 : Math.max(0, outcome.usdc - fill.usdc);
    return;
  }
  const isAnyLeft = outcome.shares > 0;
  const cost = isAnyLeft ? Math.round((outcome.usdc * fill.shares) / outcome.shares) : fill.usdc;
  outcome.shares += fill.shares;
  outcome.usdc += cost;
  countSale(market, fill, { shares: -fill.shares, usdc: -fill.usdc, cost: -cost });
}

function countSale(
  { threads }: Followed,
  { wallet, asset }: Movement,
  { shares, usdc, cost }: Thread['sales'],
): void {
  for (const { first, members, sales } of threads) {
    if (first.asset !== asset || !members.has(wallet)) continue;
    sales.shares = Math.max(0, sales.shares + shares);
    sales.usdc = Math.max(0, sales.usdc + usdc);
    sales.cost = Math.max(0, sales.cost + cost);
  }
}
