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
  /** What each holds, by wallet and asset. */
  readonly members: Map<string, Map<string, { shares: number; usdc: number }>>;
  peak: number;
  readonly made: Set<ExitLevel>;
  readonly sales: { shares: number; usdc: number; cost: number };
}

interface Followed {
  isBinary: boolean;
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
    const market: Followed = this.#markets.get(marketId) ?? { isBinary, threads: [] };
    this.#markets.set(marketId, market);
    const known = market.threads.find(({ first }) => first.asset === of.asset && first.wallet === of.wallet);
    if ([...of.members].some(([wallet, seeds]) => seeds === null && known?.members.has(wallet) !== true)) {
      market.threads = market.threads.filter((thread) => thread !== known);
      return false;
    }
    const thread: Thread = known ?? {
      first: of,
      newest: of,
      members: new Map(),
      peak: 0,
      made: new Set(),
      sales: { shares: 0, usdc: 0, cost: 0 },
    };
    if (known === undefined) market.threads.push(thread);
    thread.newest = of;
    for (const [wallet, seeds] of of.members)
      if (!thread.members.has(wallet))
        thread.members.set(
          wallet,
          new Map((seeds ?? []).map(({ asset, shares, usdc }) => [asset, { shares, usdc }])),
        );
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
      const { threads = [] } = this.#markets.get(marketId) ?? {};
      return threads.flatMap((thread) => {
        const own = all.filter(({ wallet }) => thread.members.has(wallet));
        for (const order of own) book(thread, order);
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
    for (const thread of market?.threads ?? []) {
      if (market === undefined || !thread.members.has(fill.wallet)) continue;
      const before = heldIn(market, thread);
      takeBack(thread, fill);
      const held = heldIn(market, thread);
      if (held < before) thread.peak -= before - held;
      thread.peak = Math.max(thread.peak, held);
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

function heldIn({ isBinary }: Followed, { first, members }: Thread): number {
  let held = 0;
  for (const outcomes of members.values()) {
    const own = outcomes.get(first.asset)?.shares ?? 0;
    let others = 0;
    for (const [asset, { shares }] of outcomes) if (asset !== first.asset) others += shares;
    held += isBinary ? own - Math.min(own, others) : own;
  }
  return held;
}

function outcomeOf({ members }: Thread, { wallet, asset }: Movement) {
  const holding = members.get(wallet) as Map<string, { shares: number; usdc: number }>;
  const outcome = holding.get(asset) ?? { shares: 0, usdc: 0 };
  holding.set(asset, outcome);
  return outcome;
}

function book(thread: Thread, order: Movement): void {
  const outcome = outcomeOf(thread, order);
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
  countSale(thread, order, { shares, usdc: Math.round((order.usdc * shares) / order.shares), cost });
}

function takeBack(thread: Thread, fill: Movement): void {
  const outcome = outcomeOf(thread, fill);
  if (fill.side === 'BUY') {
    outcome.shares = Math.max(0, outcome.shares - fill.shares);
    outcome.usdc = outcome.shares === 0 ? 0 : Math.max(0, outcome.usdc - fill.usdc);
    return;
  }
  const isAnyLeft = outcome.shares > 0;
  const cost = isAnyLeft ? Math.round((outcome.usdc * fill.shares) / outcome.shares) : fill.usdc;
  outcome.shares += fill.shares;
  outcome.usdc += cost;
  countSale(thread, fill, { shares: -fill.shares, usdc: -fill.usdc, cost: -cost });
}

function countSale(
  { first, sales }: Thread,
  { asset }: Movement,
  { shares, usdc, cost }: Thread['sales'],
): void {
  if (first.asset !== asset) return;
  sales.shares = Math.max(0, sales.shares + shares);
  sales.usdc = Math.max(0, sales.usdc + usdc);
  sales.cost = Math.max(0, sales.cost + cost);
}
