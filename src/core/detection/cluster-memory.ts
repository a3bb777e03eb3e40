import { MINUTE_MS } from '../duration.ts';
import type { EpochMs } from '../trade.ts';
import type { DetectionRules } from './rules.ts';
import { itemsOf, jsonChunks, type Snapshotted } from './state-chunks.ts';
import { LATE_LIMIT_MS } from './wallet-memory.ts';

/** One buy by a wallet that was fresh at that moment. */
export interface FreshBuy {
  readonly wallet: string;
  readonly transaction: string;
  readonly at: EpochMs;
  readonly usdc: number;
}

/** The fresh wallets that bought one outcome within the window, each above the floor. */
export interface Cluster {
  /** In the order of their first buy in the window. */
  readonly wallets: readonly string[];
  readonly totalUsdc: number;
  /** Trades of these wallets in the window. */
  readonly tradeCount: number;
}

/** Remembers the buys of fresh wallets by outcome, long enough to judge late trades at their own time. */
export interface ClusterMemory extends Snapshotted {
  /** Books a buy; the cluster it completes or adds to, when it is one and is to be told, null otherwise. */
  book(outcomeKey: string, buy: FreshBuy): Cluster | null;
  /** Adds a buy made before the wallet was known to be fresh; what it completes is told by the next one booked. */
  recall(outcomeKey: string, buy: FreshBuy): void;
  sweep(now: EpochMs): void;
  readonly size: number;
}

interface Window {
  /** Ascending by time, then by wallet. */
  buys: FreshBuy[];
  lastAlert: { at: EpochMs; totalUsdc: number } | null;
}

/** An empty memory. Windows and cooldowns count in the trades' own time. */
export function createClusterMemory(rules: DetectionRules): ClusterMemory {
  const windows = new Map<string, Window>();
  const windowMs = rules.cluster.windowMinutes * MINUTE_MS;
  const cooldownMs = rules.repeat.clusterMinutes * MINUTE_MS;

  function add(outcomeKey: string, buy: FreshBuy): Window {
    const window = windows.get(outcomeKey) ?? { buys: [], lastAlert: null };
    windows.delete(outcomeKey);
    windows.set(outcomeKey, window);
    if (windows.size > rules.memory.clusters) windows.delete(windows.keys().next().value as string);
    insertByTime(window.buys, buy);
    if (window.buys.length > rules.memory.buysPerCluster) window.buys.shift();
    return window;
  }

  return {
    recall: (outcomeKey, buy) => void add(outcomeKey, buy),
    book(outcomeKey, buy) {
      const window = add(outcomeKey, buy);
      const found =
        clusterAt(window.buys, buy, windowMs, rules) ?? laterCluster(window.buys, buy, windowMs, rules);
      if (found === null || !isWorthTelling(window.lastAlert, found, buy.at, cooldownMs, rules)) return null;
      window.lastAlert = lastTold(window.lastAlert, { at: buy.at, totalUsdc: found.totalUsdc });
      const { wallets, totalUsdc, trades } = found;
      const tradeCount = new Set(trades.map(({ wallet, transaction }) => `${wallet} ${transaction}`)).size;
      return { wallets, totalUsdc, tradeCount };
    },
    sweep(now) {
      const oldest = now - LATE_LIMIT_MS - Math.max(windowMs, cooldownMs);
      for (const [key, window] of windows) {
        const firstKept = window.buys.findIndex((buy) => buy.at >= oldest);
        window.buys = firstKept < 0 ? [] : window.buys.slice(firstKept);
        if (window.buys.length === 0 && (window.lastAlert?.at ?? 0) < oldest) windows.delete(key);
      }
    },
    get size() {
      return windows.size;
    },
    *chunks() {
      yield* jsonChunks(windows);
    },
    restore(texts) {
      for (const [key, window] of itemsOf<[string, Window]>(texts)) windows.set(key, window);
    },
  };
}

function insertByTime(buys: FreshBuy[], buy: FreshBuy): void {
  let index = buys.length;
  while (index > 0 && isBefore(buy, buys[index - 1] as FreshBuy)) index -= 1;
  buys.splice(index, 0, buy);
}

/** Among buys of one moment by address, so that one recalled later stands where it would have stood at once. */
function isBefore(buy: FreshBuy, other: FreshBuy): boolean {
  return buy.at < other.at || (buy.at === other.at && buy.wallet < other.wallet);
}

function clusterAt(
  buys: readonly FreshBuy[],
  { wallet, at }: FreshBuy,
  windowMs: number,
  { cluster }: DetectionRules,
): (Omit<Cluster, 'tradeCount'> & { readonly trades: readonly FreshBuy[] }) | null {
  const inWindow = buys.filter((buy) => buy.at <= at && buy.at >= at - windowMs);
  const usdcByWallet = new Map<string, number>();
  for (const buy of inWindow) usdcByWallet.set(buy.wallet, (usdcByWallet.get(buy.wallet) ?? 0) + buy.usdc);
  const isMember = (address: string) => (usdcByWallet.get(address) ?? 0) >= cluster.minWalletUsdc;
  if (!isMember(wallet)) return null;
  const wallets = [...usdcByWallet.keys()].filter(isMember);
  const totalUsdc = wallets.reduce((total, address) => total + (usdcByWallet.get(address) ?? 0), 0);
  if (wallets.length < cluster.minWallets || totalUsdc < cluster.minTotalUsdc) return null;
  const theirs = inWindow.filter((buy) => isMember(buy.wallet));
  return { wallets, totalUsdc, trades: theirs };
}

/** The cluster that a late buy completes at a later one, which was judged without it: the first of those. */
function laterCluster(
  buys: readonly FreshBuy[],
  late: FreshBuy,
  windowMs: number,
  rules: DetectionRules,
): ReturnType<typeof clusterAt> {
  if ((buys.at(-1)?.at ?? 0) <= late.at) return null;
  const near = buys.filter(({ at }) => at >= late.at - windowMs && at <= late.at + windowMs);
  if (new Set(near.map(({ wallet }) => wallet)).size < rules.cluster.minWallets) return null;
  for (const buy of near) {
    if (buy.at <= late.at) continue;
    const found = clusterAt(near, buy, windowMs, rules);
    if (found?.wallets.includes(late.wallet) === true) return found;
  }
  return null;
}

/** A late one told after a newer one neither moves the cooldown back nor lowers what the next has to reach. */
function lastTold(last: Window['lastAlert'], told: NonNullable<Window['lastAlert']>): Window['lastAlert'] {
  if (last === null || told.at >= last.at) return told;
  return { at: last.at, totalUsdc: Math.max(last.totalUsdc, told.totalUsdc) };
}

function isWorthTelling(
  last: Window['lastAlert'],
  { totalUsdc }: Pick<Cluster, 'totalUsdc'>,
  at: EpochMs,
  cooldownMs: number,
  { repeat }: DetectionRules,
): boolean {
  if (last === null || Math.abs(at - last.at) >= cooldownMs) return true;
  return totalUsdc >= repeat.minGrowth * last.totalUsdc;
}
