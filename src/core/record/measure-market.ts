import { type Alert, namedWallets } from '../alerts/alert.ts';
import type { Exit } from '../alerts/exits/exit.ts';
import { standingExits } from '../alerts/exits/exit-reader.ts';
import { resolutionOf } from '../alerts/settlement.ts';
import { rounded } from '../base/rounded.ts';
import { DAY_MS, type EpochMs } from '../base/time/duration.ts';
import { roundedMean } from './figure.ts';
import { followerResult } from './follower-result.ts';
import { MarketAsOf, payoutNamed, type TrackedOrder } from './market-as-of.ts';
import type {
  MeasuredAlert,
  MeasuredBuy,
  MeasuredControls,
  MeasuredExit,
  MeasuredMarket,
  RecordMarket,
} from './measured-market.ts';
import { type OutcomeSide, outcomeSideOf } from './observations/observation-store.ts';
import type { ObservedBuy } from './price-history.ts';

/** How markets are measured. */
interface MeasureOptions {
  /** The source's time. Nothing later is used: what is not known by then is pending. */
  readonly asOf: EpochMs;
  /** How much later than paid keys the public sees an alert. */
  readonly freeDelayMs: number;
}

/** An alert in its market, in the source's time. */
interface PublishedAlert {
  readonly alert: Alert;
  readonly tradedAt: EpochMs;
  readonly publishedAt: EpochMs;
  readonly outcome: OutcomeSide;
  readonly isFirst: boolean;
}

/**
 * Measures the alerts of a market (docs/method.md): what the prices did after them, what controls and rivals did, what a follower would
 * have got. Pure; a figure that is known stays as it is at every later `asOf`, unless trades arrive late or payouts are corrected.
 */
export function measureMarket(given: RecordMarket, { asOf, freeDelayMs }: MeasureOptions): MeasuredMarket {
  const { slug, eventSlug } = given.market;
  const market = new MarketAsOf(given, asOf);
  const published = publishedAlerts(given, asOf);
  return {
    event: eventSlug ?? slug,
    settledAt: market.settledAt,
    alerts: published.map((alert) => measureAlert(market, alert, freeDelayMs)),
    buys: measureRivals(market),
    exits: measureExits(market, given.exits, published),
  };
}

/** The last valid exit of each wallet's thread; exits of clusters would count the sales of their members twice. */
function measureExits(
  { settlement }: MarketAsOf,
  exits: readonly Exit[],
  published: readonly PublishedAlert[],
): readonly MeasuredExit[] {
  if (settlement === null) return [];
  const last = new Map(
    standingExits(exits)
      .filter(({ isCluster }) => !isCluster)
      .map((exit) => [exit.threadId, exit]),
  );
  return published.flatMap(({ alert, publishedAt }) => {
    const exit = last.get(alert.id);
    const payout = exit && payoutNamed(settlement, exit.outcome, exit.outcomeIndex);
    if (exit == null || payout == null || exit.profitUsdc === null || exit.salePrice === null) return [];
    const held = rounded(exit.profitUsdc + exit.soldShares * (payout - exit.salePrice), 2);
    return [{ publishedAt, realized: exit.profitUsdc, held }];
  });
}

function measureAlert(market: MarketAsOf, published: PublishedAlert, freeDelayMs: number): MeasuredAlert {
  const { alert, tradedAt, publishedAt, outcome, isFirst } = published;
  const { id, type, score, category, entryPrice, usdc, details } = alert;
  const payout = market.settlement === null ? null : (resolutionOf(alert, market.settlement)?.payout ?? null);
  const order = { at: tradedAt, outcome, publishedAt, payout };
  const wallets = namedWallets(alert);
  return {
    ...{
      id,
      type,
      score,
      category,
      ruleVersion: details.ruleVersion,
      publishedAt,
      entryPrice,
      usdc,
      isFirst,
    },
    positionPrice: positionPriceOf(alert),
    move: market.moveAfter(order),
    controls: measureControls(market, { ...order, entryPrice, wallets }),
    payout,
    pro: followerResult(market, order),
    free: followerResult(market, { ...order, publishedAt: publishedAt + freeDelayMs }),
  };
}

/** The alerts published by `asOf`, in the source's time, which differs from the alerts' time when a tape is replayed. */
function publishedAlerts({ market, alerts }: RecordMarket, asOf: EpochMs): readonly PublishedAlert[] {
  const moments = new Map(market.alerts.map((moment) => [moment.key, moment]));
  const known = new Set<string>();
  return alerts
    .map((alert) => {
      const { tradedAt, detectedAt } = moments.get(alert.key) ?? alert;
      return { alert, tradedAt, publishedAt: detectedAt, outcome: outcomeSideOf(alert, market) };
    })
    .filter(({ publishedAt }) => publishedAt <= asOf)
    .map((published) => {
      const name = `${published.outcome}:${published.alert.wallet}`;
      const isFirst = !known.has(name);
      known.add(name);
      return { ...published, isFirst };
    });
}

/** For a cluster the mean price of its buys, otherwise of the wallet's buys; null where there was only this one order. */
function positionPriceOf({ type, details }: Alert): number | null {
  if (type === 'cluster') return details.clusterAvgPrice ?? null;
  return details.marketBuyCount > 1 ? details.marketAvgPrice : null;
}

/** How far from the alert's order a control is at most. */
const CONTROL_TIME_MS = DAY_MS;
/** How far a control's price is from the alert's at most. */
const CONTROL_PRICE_LIMIT = 0.1;

interface ControlledAlert extends TrackedOrder {
  readonly entryPrice: number;
  /** The wallets of the alert and its cluster: their buys are not controls. */
  readonly wallets: readonly string[];
}

/**
 * All buys of 250 USDC or more of the alert's outcome by other wallets known not to be fresh, within 24 h and 10 ¢, measured like
 * the alert: with its delay from order to publication. None until that time is over: 24 h after the order, or the settlement.
 */
function measureControls(market: MarketAsOf, alert: ControlledAlert): MeasuredControls {
  const { at, outcome, publishedAt, payout, entryPrice, wallets } = alert;
  const until = Math.min(at + CONTROL_TIME_MS, market.settledAt ?? Number.POSITIVE_INFINITY);
  const isEligible = (buy: ObservedBuy) =>
    buy.outcome === outcome &&
    buy.ageClass === 'not_fresh' &&
    buy.at >= at - CONTROL_TIME_MS &&
    buy.at <= until &&
    rounded(Math.abs(buy.price - entryPrice), 6) <= CONTROL_PRICE_LIMIT &&
    !wallets.includes(buy.wallet);
  const buys = until > market.asOf ? [] : market.history.buys.filter(isEligible);
  const moves = buys.flatMap((buy) => {
    const order = { at: buy.at, outcome, publishedAt: buy.at + publishedAt - at, payout };
    const { price, value } = market.moveAfter(order);
    return price === null || value === null ? [] : [value - price];
  });
  const usdc = buys.reduce((sum, buy) => sum + buy.usdc, 0);
  return { eligible: buys.length, measured: moves.length, usdc, move24h: roundedMean(moves) };
}

/** USDC from which buys are rivals of the alerts. */
const RIVAL_USDC = 1_000;
/** USDC from which rivals are also counted separately. */
export const LARGE_RIVAL_USDC = 5_000;

/** The first buys of 1,000 USDC or more, and of 5,000 or more, of each wallet and outcome. */
function measureRivals(market: MarketAsOf): readonly MeasuredBuy[] {
  const buys = market.history.buys.filter(({ at }) => at <= market.asOf);
  const first = firstOfEach(buys, RIVAL_USDC);
  const all = new Set([...first, ...firstOfEach(buys, LARGE_RIVAL_USDC)]);
  return buys.filter((buy) => all.has(buy)).map((buy) => measuredBuy(market, buy, first.has(buy)));
}

/** The first of at least this size of each wallet and outcome. */
function firstOfEach(buys: readonly ObservedBuy[], usdcMin: number): ReadonlySet<ObservedBuy> {
  const known = new Map<string, ObservedBuy>();
  for (const buy of buys) {
    const name = `${buy.outcome}:${buy.wallet}`;
    if (buy.usdc >= usdcMin && !known.has(name)) known.set(name, buy);
  }
  return new Set(known.values());
}

function measuredBuy(market: MarketAsOf, buy: ObservedBuy, isFirst: boolean): MeasuredBuy {
  const { at, wallet, outcome, price, shares, usdc } = buy;
  const payout = market.payoutOf(outcome);
  const move = market.moveAfter({ at, outcome, publishedAt: at, payout });
  return { at, wallet, usdc, price, toWin: rounded(shares - usdc, 6), move, payout, isFirst };
}
