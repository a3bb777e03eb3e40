import type { AlertType } from '../../src/core/detection/candidate.ts';
import type { FoundExit } from '../../src/core/detection/found-exit.ts';
import type { DetectionRules } from '../../src/core/detection/rules.ts';
import type { Row, Trade } from '../../src/core/trades/trade.ts';
import { alertOf, type ReferenceAlert } from './reference/alert.ts';
import { Clusters } from './reference/clusters.ts';
import { DAY_SECONDS, Facts, hourOf } from './reference/facts.ts';
import { Followed } from './reference/followed.ts';
import {
  History,
  Lists,
  negated,
  type Order,
  orderOfRemoved,
  roleOf,
  sharesOf,
  totalUsdc,
  usdcOf,
} from './reference/history.ts';

const OPEN_FILLS_AT_MOST = 10_000;
const BUYS_THAT_TAKE_LATE_FILLS = 32;

/**
 * The detector of docs/detection.md, written from that page alone and as plainly as it can be: it keeps every order ever
 * seen and computes everything again for each. Slow, and without the page's bounds of memory; for tests only.
 */
export class ReferenceDetector {
  readonly #rules: DetectionRules;
  readonly #history = new History();
  readonly #facts: Facts;
  readonly #clusters: Clusters;
  readonly #accepted = new Lists<Trade>();
  readonly #threads: Threads;
  readonly #followed: Followed;
  #open: Trade[] = [];
  #time = Number.NEGATIVE_INFINITY;

  constructor(rules: DetectionRules, { isComplete }: { readonly isComplete: boolean }) {
    this.#rules = rules;
    this.#threads = new Threads(rules.repeat.minGrowth);
    this.#facts = new Facts(this.#history, rules, isComplete);
    this.#followed = new Followed(this.#history, this.#facts, rules.exits);
    this.#clusters = new Clusters(this.#history, this.#facts, rules);
  }

  /** All exits that were found. */
  get exits(): readonly FoundExit[] {
    return this.#followed.exits;
  }

  judge(row: Row): ReferenceAlert[] {
    if (row.kind === 'close') return this.#close();
    if (row.kind === 'removed') {
      this.#remove(row.trade);
      return [];
    }
    const found = row.at !== null && secondOf(row.at) > secondOf(this.#time) ? this.#close() : [];
    if (row.kind === 'wallet') {
      found.push(...this.#close((trade) => trade.wallet === row.facts.wallet));
      if (!this.#followed.isPast(row.facts.wallet)) this.#history.addWallet(row.facts);
    }
    if (row.kind === 'market') {
      this.#history.addMarket(row.market);
      this.#followed.learn(row.market);
    }
    if (row.kind === 'trade' && this.#isAccepted(row.trade)) {
      this.#open.push(row.trade);
      if (this.#open.length === OPEN_FILLS_AT_MOST) found.push(...this.#close());
    }
    const before = this.#time;
    this.#time = Math.max(before, row.at ?? before);
    this.#followed.advance(before, this.#time);
    return found;
  }

  #isAccepted(trade: Trade): boolean {
    if (trade.at < this.#time - DAY_SECONDS * 1000) return false;
    if (this.#known(trade) !== undefined) return false;
    this.#accepted.add(trade.transaction, trade);
    return true;
  }

  /** The fill with the same key that was taken within 24 hours. */
  #known(trade: Trade): Trade | undefined {
    const oldest = this.#time - DAY_SECONDS * 1000;
    return this.#accepted
      .of(trade.transaction)
      .find(
        (other) =>
          hourOf(other.at / 1000) >= hourOf(oldest / 1000) &&
          other.asset === trade.asset &&
          other.wallet === trade.wallet &&
          other.side === trade.side &&
          other.shares === trade.shares &&
          other.ordinal === trade.ordinal,
      );
  }

  #remove(trade: Trade): void {
    const known = this.#known(trade);
    if (known === undefined) return;
    this.#accepted.drop(trade.transaction, known);
    if (this.#open.includes(known)) this.#open = this.#open.filter((open) => open !== known);
    else this.#takeBack(trade);
  }

  #takeBack(trade: Trade): void {
    const { wallet, asset, side, marketId } = trade;
    const fill = this.#history.fillOf(trade, secondOf(trade.at));
    this.#history.addRemoved(marketId, fill);
    this.#followed.remove(fill);
    const orders = this.#history.ofPosition(wallet, asset).filter((order) => order.side === side);
    this.#clusters.remove(orders, fill);
    const held = orders.slice(-BUYS_THAT_TAKE_LATE_FILLS);
    const order = side === 'SELL' ? orders[0] : orderOfRemoved(held, fill, ({ fills }) => fills);
    if (order === undefined) return;
    order.fills.push(negated(fill));
    order.isLeftOut = this.#facts.isMarketLeftOut({ marketId, trade });
    if (!this.#facts.counts(order)) this.#clusters.leave(order);
  }

  #close(isClosed: (trade: Trade) => boolean = () => true): ReferenceAlert[] {
    const bySecond = Map.groupBy(this.#open.filter(isClosed), (trade) => secondOf(trade.at));
    this.#open = this.#open.filter((trade) => !isClosed(trade));
    return [...bySecond]
      .toSorted(([a], [b]) => a - b)
      .flatMap(([second, trades]) => this.#judgeSecond(second, trades));
  }

  #judgeSecond(second: number, trades: readonly Trade[]): ReferenceAlert[] {
    this.#history.booking += 1;
    const orders = [...Map.groupBy(trades, orderKeyOf).values()]
      .map((fills) => this.#book(second, fills))
      .toSorted((a, b) => compare(a.wallet, b.wallet) || compare(a.asset, b.asset));
    for (const order of orders) if (!this.#facts.counts(order)) this.#clusters.leave(order);
    const fresh = orders.filter((order) => this.#facts.counts(order) && this.#isFresh(order));
    this.#followed.judge(second, trades, (trade) => this.#history.fillOf(trade, second));
    const isOutside = ({ side, isLeftOut }: Order) => side === 'SELL' || isLeftOut;
    this.#followed.look(orders.filter(isOutside), this.#time);
    const alerts = this.#alertsOf(fresh);
    this.#followed.look(orders, this.#time);
    return alerts;
  }

  #alertsOf(fresh: readonly Order[]): ReferenceAlert[] {
    const byOutcome = Map.groupBy(fresh, ({ asset }) => asset);
    return [
      ...fresh.map((order) => this.#judgeOrder(order)),
      ...[...byOutcome.values()].map((closed) => this.#judgeOutcome(closed)),
    ].filter((alert) => alert !== null);
  }

  /** The fills of one order of a second that were closed together; late ones join the order that is there. */
  #book(second: number, trades: readonly Trade[]): Order {
    const trade = trades[0] as Trade;
    const { wallet, asset, side, marketId } = trade;
    this.#followed.isPast(wallet);
    const fills = trades.map((given) => this.#history.fillOf(given, second));
    const flags = { isLeftOut: false, isAlerted: false, inWindow: [], isEarly: false };
    const given = { wallet, marketId, asset, side, second, trade, fills, role: roleOf(fills), ...flags };
    if (this.#facts.isMarketLeftOut({ marketId, trade })) {
      const apart = { ...given, isLeftOut: true };
      this.#history.addApart(apart);
      return apart;
    }
    const boughtBefore = totalUsdc(this.#facts.buys(wallet, asset));
    let order = this.#history
      .ofPosition(wallet, asset)
      .filter((known) => known.side === side)
      .slice(-BUYS_THAT_TAKE_LATE_FILLS)
      .findLast((known) => known.second === second);
    if (order === undefined) {
      order = given;
      this.#history.addOrder(order);
    } else {
      const isEmpty = sharesOf(order.fills) === 0;
      order.role = isEmpty || order.role === roleOf(fills) ? roleOf(fills) : null;
      order.fills.push(...fills);
      order.isLeftOut = false;
    }
    const bought = totalUsdc(this.#facts.buys(wallet, asset)) - boughtBefore;
    const thread = this.#threads.of(threadOf(order));
    if (thread?.type === 'fresh_accumulator' && thread.second > second && bought > 0) {
      this.#threads.note(threadOf(order), { ...thread, measure: thread.measure + bought });
    }
    return order;
  }

  /** Whether its wallet is; the order then enters the window of its outcome. */
  #isFresh(order: Order): boolean {
    const isFresh = this.#facts.isFresh(order.wallet, order.second);
    if (isFresh === null) this.#clusters.keepEarly(order);
    else this.#clusters.enter(order, isFresh);
    return isFresh === true;
  }

  /** A counting buy of a fresh wallet, whose second is booked. */
  #judgeOrder(order: Order): ReferenceAlert | null {
    const isAccumulator = this.#facts.isAccumulating(order);
    const usdc = usdcOf(order.fills);
    const type = isAccumulator ? 'fresh_accumulator' : 'fresh';
    const measure = isAccumulator ? totalUsdc(this.#facts.buys(order.wallet, order.asset)) : usdc;
    const { second } = order;
    const thread = this.#threads.of(threadOf(order));
    if (order.isAlerted) {
      const isLatest = thread?.second === second;
      this.#threads.note(
        threadOf(order),
        isLatest ? { type, second, measure } : { type: 'fresh', second, measure: usdc },
      );
      return null;
    }
    if (type === 'fresh' && usdc < this.#rules.significantUsdc * 1e6) return null;
    const rises = thread?.type === 'fresh' && isAccumulator;
    if (!rises && !this.#threads.hasGrown(thread, measure)) return null;
    order.isAlerted = true;
    this.#threads.note(threadOf(order), { type, second, measure });
    return alertOf({
      facts: this.#facts,
      rules: this.#rules,
      key: `w:${orderKeyOf(order)}:${second}`,
      type,
      order,
      measure,
      cluster: null,
      isPositionKnown: this.#followed.follow(order, null),
    });
  }

  /** Orders of fresh wallets in one outcome and second, closed together. */
  #judgeOutcome(closed: readonly Order[]): ReferenceAlert | null {
    const { asset, marketId, side, second } = closed[0] as Order;
    const key = `c:${asset}:${side}:${second}`;
    const threadKey = `${marketId}:${asset}`;
    const noted = this.#threads.of(threadKey);
    if (noted !== undefined && second <= noted.second && second >= noted.second - this.#windowSeconds) {
      this.#threads.note(threadKey, { ...noted, measure: this.#clusters.totalAt(asset, noted.second) });
    }
    const cluster = this.#clusters.completedBy(closed);
    const thread = this.#threads.of(threadKey);
    if (cluster === null || thread?.second === second || !this.#threads.hasGrown(thread, cluster.total))
      return null;
    const { total: measure, last: order } = cluster;
    this.#threads.note(threadKey, { type: 'cluster', second, measure });
    const isPositionKnown = this.#followed.follow(order, cluster);
    const found = { key, type: 'cluster', order, measure, cluster, isPositionKnown } as const;
    return alertOf({ facts: this.#facts, rules: this.#rules, ...found });
  }

  get #windowSeconds(): number {
    return this.#rules.cluster.windowMinutes * 60;
  }
}

const secondOf = (at: number): number => Math.floor(at / 1000);
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function orderKeyOf({ wallet, asset, side }: Pick<Order, 'wallet' | 'asset' | 'side'>): string {
  return `${wallet}:${asset}:${side}`;
}

function threadOf({ wallet, marketId, asset }: Order): string {
  return `${wallet}:${marketId}:${asset}`;
}

/** What the next alert of a thread has to exceed: the strongest type, the latest second and the largest measure so far. */
interface Noted {
  readonly type: AlertType;
  readonly second: number;
  readonly measure: number;
}

/** The threads of alerts, by key. What the next alert of a thread has to exceed never falls. */
class Threads {
  readonly #minGrowth: number;
  readonly #noted = new Map<string, Noted>();

  constructor(minGrowth: number) {
    this.#minGrowth = minGrowth;
  }

  of(key: string): Noted | undefined {
    return this.#noted.get(key);
  }

  hasGrown(thread: Noted | undefined, measure: number): boolean {
    return thread === undefined || measure >= this.#minGrowth * thread.measure;
  }

  note(key: string, alert: Noted): void {
    const noted = this.#noted.get(key) ?? alert;
    this.#noted.set(key, {
      type: noted.type === 'fresh' ? alert.type : noted.type,
      second: Math.max(noted.second, alert.second),
      measure: Math.max(noted.measure, alert.measure),
    });
  }
}
