import type { AlertType, Candidate } from '../alert.ts';
import { MINUTE_MS } from '../duration.ts';
import type { DropReason } from '../ports/source.ts';
import type { EpochMs, Trade } from '../trade.ts';
import { type Finding, measureOf, toCandidate } from './candidate.ts';
import type { ClusterMemory } from './cluster-memory.ts';
import { fillHash, type Hash64 } from './fill-hash.ts';
import { bookVolume, type KnownMarket, type MarketMemory } from './market-memory.ts';
import { book, createPosition, type EarlyBuy, isAccumulating, type Position } from './position.ts';
import type { DetectionRules } from './rules.ts';
import { hourOf, type TimedHashSet } from './timed-hash-set.ts';
import {
  type HistoryOf,
  type Holding,
  LATE_LIMIT_MS,
  type Wallet,
  type WalletMemory,
} from './wallet-memory.ts';

/** What the detector remembers, and by which rules it judges. */
export interface DetectorMemory {
  readonly rules: DetectionRules;
  readonly source: HistoryOf;
  readonly wallets: WalletMemory;
  readonly markets: MarketMemory;
  readonly clusters: ClusterMemory;
  /** Fills of the last 24 hours, by which a repeat is recognised. */
  readonly fills: TimedHashSet;
}

/** What came of one row. */
export interface Judgement {
  readonly dropped: Extract<DropReason, 'late' | 'repeat'> | null;
  readonly candidates: readonly Candidate[];
}

/** The judgement of a row that is neither dropped nor suspicious; shared, so that most rows allocate none. */
export const NOTHING: Judgement = { dropped: null, candidates: [] };
const LATE: Judgement = { dropped: 'late', candidates: [] };
const REPEAT: Judgement = { dropped: 'repeat', candidates: [] };

/** Judges one fill at its own time and remembers it. `now`: the source's time before this fill. */
export function judgeTrade(memory: DetectorMemory, fill: Trade, now: EpochMs): Judgement {
  if (fill.at < now - LATE_LIMIT_MS) return LATE;
  const hash = fillHash(fill);
  if (memory.fills.add(hash, hourOf(fill.at), hourOf(now - LATE_LIMIT_MS))) return REPEAT;
  const market = memory.markets.touch(fill);
  bookVolume(market, fill.shares * fill.price, fill.at);
  const wallet = memory.wallets.touch(fill.wallet, fill.at, now);
  if (wallet === null) return NOTHING;
  const candidates = judgeBuy(memory, wallet, market, { fill, hash });
  memory.wallets.retireIfStale(wallet, now);
  return candidates.length === 0 ? NOTHING : { dropped: null, candidates };
}

function judgeBuy(
  memory: DetectorMemory,
  wallet: Wallet,
  market: KnownMarket,
  { fill, hash }: { fill: Trade; hash: Hash64 },
): readonly Candidate[] {
  const { rules, source } = memory;
  const holding = holdingOf(wallet, fill);
  const position = positionOf(holding, fill.asset);
  const trade = book(position, fill, !market.isIgnored && !isIgnoredPrice(fill.price, rules));
  if (trade === null) return [];
  const freshness = memory.wallets.freshness(wallet, fill.at);
  if (freshness === null) {
    keepEarlyBuy(position, fill, rules);
    return [];
  }
  const early = takeEarlyBuys(position);
  if (!isFresh(freshness, rules)) return [];
  const accumulating = isAccumulating(position, holding.positions.values(), rules);
  const base = {
    fill,
    hash,
    trade,
    position,
    isAccumulating: accumulating,
    market,
    freshness,
    isComplete: source.isComplete,
  };
  const findings = [
    walletFinding({ ...base, type: accumulating ? 'fresh_accumulator' : 'fresh', cluster: null }, rules),
    clusterFinding(memory.clusters, base, early),
  ];
  return findings.filter((finding) => finding !== null).map((finding) => toCandidate(finding, rules));
}

/** The finding about one wallet when it is one and is to be told; it is then noted as told. */
function walletFinding(finding: Finding, rules: DetectionRules): Finding | null {
  const { type, trade, position, fill } = finding;
  if (type === 'fresh' && trade.usdc < rules.significantUsdc) return null;
  if (trade.isAlerted || !isWorthTelling(position, finding, rules)) return null;
  trade.isAlerted = true;
  position.lastAlert = lastTold(position.lastAlert, { type, at: fill.at, measure: measureOf(finding) });
  return finding;
}

/** A late one told after a newer one neither moves the cooldown back nor lowers what the next has to reach. */
function lastTold(
  last: Position['lastAlert'],
  told: NonNullable<Position['lastAlert']>,
): Position['lastAlert'] {
  if (last === null || told.at >= last.at) return told;
  const type = isStronger(told.type, last.type) ? told.type : last.type;
  return { type, at: last.at, measure: Math.max(last.measure, told.measure) };
}

function isWorthTelling({ lastAlert }: Position, finding: Finding, { repeat }: DetectionRules): boolean {
  if (lastAlert === null || Math.abs(finding.fill.at - lastAlert.at) >= repeat.walletMinutes * MINUTE_MS)
    return true;
  if (isStronger(finding.type, lastAlert.type)) return true;
  return measureOf(finding) >= repeat.minGrowth * lastAlert.measure;
}

/** A wallet alone makes two claims, of which accumulation is the stronger. */
function isStronger(type: AlertType, than: AlertType): boolean {
  return type === 'fresh_accumulator' && than === 'fresh';
}

function clusterFinding(
  clusters: ClusterMemory,
  base: Omit<Finding, 'type' | 'cluster'>,
  early: readonly EarlyBuy[],
): Finding | null {
  const { wallet, transaction, at, shares, price, marketId, asset } = base.fill;
  const outcomeKey = `${marketId}:${asset}`;
  for (const buy of early) clusters.recall(outcomeKey, { wallet, ...buy });
  const cluster = clusters.book(outcomeKey, { wallet, transaction, at, usdc: shares * price });
  return cluster === null ? null : { ...base, type: 'cluster', cluster };
}

/** A wallet that is fresh later was fresh at these too; by themselves they were too small to make it a member. */
function keepEarlyBuy(position: Position, fill: Trade, { cluster, memory }: DetectionRules): void {
  const { transaction, at, shares, price } = fill;
  const from = at - cluster.windowMinutes * MINUTE_MS;
  const kept = (position.early ?? []).filter((buy) => buy.at >= from);
  // A cluster takes no more of them either.
  position.early = [...kept, { transaction, at, usdc: shares * price }].slice(-memory.buysPerCluster);
}

function takeEarlyBuys(position: Position): readonly EarlyBuy[] {
  const { early = [] } = position;
  delete position.early;
  return early;
}

function holdingOf(wallet: Wallet, { marketId, at }: Trade): Holding {
  const known = wallet.holdings.get(marketId);
  if (known !== undefined) {
    known.firstAt = Math.min(known.firstAt, at);
    return known;
  }
  const holding = { firstAt: at, isInFacts: false, positions: new Map<string, Position>() };
  wallet.holdings.set(marketId, holding);
  return holding;
}

function positionOf(holding: Holding, asset: string): Position {
  const known = holding.positions.get(asset);
  if (known !== undefined) return known;
  const position = createPosition();
  holding.positions.set(asset, position);
  return position;
}

/** Whether buys at this price are settlement sweeps rather than opinions. */
export function isIgnoredPrice(price: number, { ignore }: DetectionRules): boolean {
  return price <= ignore.priceAtMost || price >= ignore.priceAtLeast;
}

function isFresh(
  { ageDays, markets }: { ageDays: number; markets: number },
  { fresh }: DetectionRules,
): boolean {
  return ageDays <= fresh.maxAgeDays && markets <= fresh.maxMarkets;
}
