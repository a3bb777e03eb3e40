import type { FoundExit } from '../../../src/core/detection/found-exit.ts';
import type { DetectionRules } from '../../../src/core/detection/rules.ts';
import type { Side } from '../../../src/core/trades/trade.ts';

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

export type Event =
  | { readonly kind: 'alert'; readonly of: Beginning }
  | { readonly kind: 'market'; readonly isBinary: boolean; readonly endsAt: number | null }
  | { readonly kind: 'orders'; readonly second: number; readonly orders: readonly Movement[] }
  | { readonly kind: 'removed'; readonly fill: Movement };

/** Shares, what they cost, and the most that counted as held after a second. */
interface Outcome {
  shares: number;
  usdc: number;
  peak: number;
}

interface Thread {
  readonly first: Beginning;
  newest: Beginning;
  isLost: boolean;
  readonly members: Map<string, { pairsBefore: number }>;
  /** Held shares after each second, in the sequence in which they became known. */
  readonly curve: Map<number, number>;
  /** Since the first alert. */
  readonly sales: { shares: number; usdc: number; cost: number; cashed: number };
  readonly made: {
    key: string;
    level: 'half' | 'out';
    /** The last second of the curve then. */
    second: number;
    isCorrected: boolean;
  }[];
}

/** What became of the threads of one market. */
export class Story {
  readonly #marketId: string;
  readonly #rules: DetectionRules['exits'];
  readonly holdings = new Map<string, Map<string, Outcome>>();
  readonly exits: FoundExit[] = [];
  readonly #threads: Thread[] = [];
  #market = { isBinary: false, endsAt: null as number | null };

  constructor(marketId: string, rules: DetectionRules['exits']) {
    this.#marketId = marketId;
    this.#rules = rules;
  }

  isLost(of: Beginning): boolean {
    return this.#threadOf(of)?.isLost === true;
  }

  tell(event: Event): void {
    if (event.kind === 'alert') this.#alert(event.of);
    else if (event.kind === 'market') this.#market = event;
    else if (event.kind === 'removed') {
      const touched = this.#move(event.fill, true);
      for (const thread of touched) this.#correct(thread, event.fill.wallet, event.fill.second);
      this.#notePeaks([event.fill]);
    } else this.#second(event.second, event.orders);
  }

  #second(second: number, orders: readonly Movement[]): void {
    const touched = new Map<Thread, string>();
    for (const order of orders)
      for (const thread of this.#move(order, false)) touched.set(thread, order.wallet);
    for (const [thread, wallet] of touched) {
      this.#correct(thread, wallet, second);
      this.#judge(thread, wallet, second);
    }
    this.#notePeaks(orders);
  }

  /** The most that each wallet of the orders held of an outcome after a second. */
  #notePeaks(orders: readonly Movement[]): void {
    for (const { wallet } of orders)
      for (const [asset, outcome] of this.holdings.get(wallet) ?? [])
        outcome.peak = Math.max(outcome.peak, this.#heldBy(wallet, asset));
  }

  #threadOf({ asset, wallet }: Beginning): Thread | undefined {
    return this.#threads.find(({ first }) => first.asset === asset && first.wallet === wallet);
  }

  #alert(of: Beginning): void {
    const known = this.#threadOf(of);
    const thread: Thread = known ?? {
      ...{ first: of, newest: of, isLost: false, members: new Map() },
      curve: new Map(),
      ...{ sales: { shares: 0, usdc: 0, cost: 0, cashed: 0 }, made: [] },
    };
    if (known === undefined) this.#threads.push(thread);
    const isUnknown = ([wallet, seeds]: readonly [string, unknown]) =>
      seeds === null && !this.holdings.has(wallet);
    if ([...of.members].some(isUnknown)) thread.isLost = true;
    if (thread.isLost) return;
    thread.newest = of;
    for (const [wallet, seeds] of of.members) {
      if (!this.holdings.has(wallet))
        this.holdings.set(
          wallet,
          new Map((seeds ?? []).map(({ asset, shares, usdc }) => [asset, { shares, usdc, peak: shares }])),
        );
      if (thread.members.has(wallet)) continue;
      thread.members.set(wallet, { pairsBefore: this.#pairs(wallet, of.asset) });
    }
    bend(thread.curve, of.second, this.#held(thread) - heldAndPeak(thread.curve).held);
  }

  /** The threads that an order or a removed fill concerns. */
  #move(movement: Movement, isRemoved: boolean): Thread[] {
    const { wallet, asset, side, second } = movement;
    const holding = this.holdings.get(wallet);
    if (holding === undefined) return [];
    const touched = this.#threads.filter(({ isLost, members }) => !isLost && members.has(wallet));
    const before = touched.map((thread) => this.#held(thread));
    const outcome = holding.get(asset) ?? { shares: 0, usdc: 0, peak: 0 };
    holding.set(asset, outcome);
    const same = touched.filter(({ first }) => first.asset === asset);
    if (side === 'BUY') buy(outcome, movement, isRemoved);
    else this.#sell(outcome, movement, same, isRemoved);
    return touched.filter((thread, index) => {
      const change = this.#held(thread) - (before[index] as number);
      const isLate = [...thread.curve.keys()].some((known) => known >= second);
      bend(thread.curve, second, change);
      return change < 0 || isLate;
    });
  }

  #sell(
    outcome: Outcome,
    { shares, usdc, second }: Movement,
    threads: readonly Thread[],
    isRemoved: boolean,
  ): void {
    const sold = isRemoved ? -shares : Math.min(shares, outcome.shares);
    if (sold === 0) return;
    const { sales = null } = threads.find(({ first }) => first.wallet !== null) ?? threads[0] ?? {};
    let cost = 0;
    if (!isRemoved) cost = Math.round((outcome.usdc * sold) / outcome.shares);
    else if (sales !== null && sales.shares > 0) cost = -Math.round((sales.cost * shares) / sales.shares);
    const paid = isRemoved ? -usdc : Math.round((usdc * sold) / shares);
    outcome.shares -= sold;
    outcome.usdc -= cost;
    const price = Math.round((usdc / shares) * 1e6) / 1e6;
    for (const thread of threads.filter(({ first }) => second >= first.second)) {
      const { sales: of } = thread;
      of.shares = Math.max(0, of.shares + sold);
      of.usdc = Math.max(0, of.usdc + paid);
      of.cost = Math.max(0, of.cost + cost);
      if (price >= this.#rules.cashedOutPrice) of.cashed = Math.max(0, of.cashed + sold);
    }
  }

  #correct(thread: Thread, wallet: string, second: number): void {
    for (const exit of thread.made) {
      const { held, peak } = heldAndPeak(thread.curve, exit.second);
      if (exit.isCorrected || held < this.#rules[exit.level] * peak) continue;
      exit.isCorrected = true;
      const { level } = exit;
      const key = `${exit.key}:corrected`;
      this.exits.push(this.#found(thread, { key, corrects: exit.key, level, wallet, second, held, peak }));
    }
  }

  #judge(thread: Thread, wallet: string, second: number): void {
    const { held, peak } = heldAndPeak(thread.curve);
    const standing = thread.made.filter(({ isCorrected }) => !isCorrected).map(({ level }) => level);
    if (standing.includes('out')) return;
    let level: 'half' | 'out' | null = held < this.#rules.half * peak ? 'half' : null;
    if (held < this.#rules.out * peak) level = 'out';
    if (level === null || standing.includes(level)) return;
    const { first } = thread;
    const name = first.wallet === null ? `c:${first.asset}` : `w:${first.wallet}:${first.asset}`;
    const key = `x:${name}:${level}:${thread.made.length - standing.length}`;
    thread.made.push({ key, level, second: Math.max(...thread.curve.keys()), isCorrected: false });
    this.exits.push(this.#found(thread, { key, corrects: null, level, wallet, second, held, peak }));
  }

  #found(
    { first, newest, members, sales }: Thread,
    {
      key,
      corrects,
      level,
      wallet,
      second,
      held,
      peak,
    }: {
      readonly key: string;
      readonly corrects: string | null;
      readonly level: 'half' | 'out';
      readonly wallet: string;
      readonly second: number;
      readonly held: number;
      readonly peak: number;
    },
  ): FoundExit {
    const { asset } = first;
    let hedged = 0;
    for (const [member, { pairsBefore }] of members) hedged += this.#pairs(member, asset) - pairsBefore;
    hedged = Math.max(0, hedged);
    const plain = sales.shares - sales.cashed;
    const out = [...members.keys()].filter((member) => {
      const now = this.#heldBy(member, asset);
      return now < this.#rules.out * Math.max(now, this.holdings.get(member)?.get(asset)?.peak ?? 0);
    });
    const byMost = sales.cashed > plain ? 'cashed_out' : 'sold';
    const hasSales = sales.shares > 0;
    return {
      ...{ key, corrects, sameSaleAs: null, level, isCluster: first.wallet === null, wallet },
      kind: hedged > plain && hedged > sales.cashed ? 'hedged' : byMost,
      ...{ marketId: this.#marketId, outcome: newest.outcome, outcomeIndex: newest.outcomeIndex },
      ...{ tradedAt: second * 1000, alertedAt: first.second * 1000, endsAt: this.#market.endsAt },
      ...{ heldShares: held / 1e6, peakShares: peak / 1e6, soldShares: sales.shares / 1e6 },
      hedgedShares: hedged / 1e6,
      salePrice: hasSales ? Math.round((sales.usdc / sales.shares) * 1e6) / 1e6 : null,
      profitUsdc: hasSales ? Math.round(((sales.usdc - sales.cost) / 1e6) * 100) / 100 + 0 : null,
      members: first.wallet === null ? { total: members.size, out: out.length } : null,
    };
  }

  #held({ first, members }: Thread): number {
    let held = 0;
    for (const wallet of members.keys()) held += this.#heldBy(wallet, first.asset);
    return held;
  }

  #heldBy(wallet: string, asset: string): number {
    return (this.holdings.get(wallet)?.get(asset)?.shares ?? 0) - this.#pairs(wallet, asset);
  }

  #pairs(wallet: string, asset: string): number {
    if (!this.#market.isBinary) return 0;
    const holding = [...(this.holdings.get(wallet) ?? [])];
    const own = holding.find(([other]) => other === asset)?.[1].shares ?? 0;
    let others = 0;
    for (const [other, { shares }] of holding) if (other !== asset) others += shares;
    return Math.min(own, others);
  }
}

/** A change in a second changes all later ones, too. */
function bend(curve: Map<number, number>, second: number, change: number): void {
  const { held } = heldAndPeak(curve, second);
  curve.set(second, curve.get(second) ?? held);
  for (const [at, before] of curve) if (at >= second) curve.set(at, before + change);
}

function heldAndPeak(curve: ReadonlyMap<number, number>, until = Number.POSITIVE_INFINITY) {
  const seconds = [...curve.keys()].filter((second) => second <= until);
  const held = seconds.length === 0 ? 0 : (curve.get(Math.max(...seconds)) as number);
  return { held, peak: Math.max(0, ...seconds.map((second) => curve.get(second) as number)) };
}

function buy(
  outcome: { shares: number; usdc: number },
  { shares, usdc }: Movement,
  isRemoved: boolean,
): void {
  outcome.shares = Math.max(0, outcome.shares + (isRemoved ? -shares : shares));
  outcome.usdc =
    isRemoved && outcome.shares === 0 ? 0 : Math.max(0, outcome.usdc + (isRemoved ? -usdc : usdc));
}
