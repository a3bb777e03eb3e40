import type { Alert } from '../alerts/alert.ts';
import type { Sha256 } from '../alerts/log/seal.ts';
import { resolutionOf } from '../alerts/settlement.ts';
import { rounded } from '../base/rounded.ts';
import { DAY_MS, type EpochMs, SECOND_MS } from '../base/time/duration.ts';
import { roundedMean } from './figure.ts';
import { followerResult } from './follower-result.ts';
import { MarketAsOf, type TrackedOrder } from './market-as-of.ts';
import type { MeasuredAlert, MeasuredControls, MeasuredMarket, RecordMarket } from './measured-market.ts';
import { type OutcomeSide, outcomeSideOf } from './observations/observation-store.ts';
import type { ObservedBuy } from './price-history.ts';
import { priceMoves } from './price-moves.ts';
import { measureRivals } from './rivals.ts';

/** How markets are measured. */
interface MeasureOptions extends DrawSeed {
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
export function measureMarket(given: RecordMarket, options: MeasureOptions): MeasuredMarket {
  const { slug, eventSlug, tags, endsAt } = given.market;
  const market = new MarketAsOf(given, options.asOf);
  return {
    event: eventSlug ?? slug,
    tags: tags ?? [],
    settledAt: market.settledAt,
    endsAt: endsAt ?? null,
    alerts: publishedAlerts(given, options.asOf).map((alert) => measureAlert(market, alert, options)),
    buys: measureRivals(market),
  };
}

function measureAlert(market: MarketAsOf, published: PublishedAlert, options: MeasureOptions): MeasuredAlert {
  const { alert, tradedAt, publishedAt, outcome, isFirst } = published;
  const { id, type, score, category, entryPrice, usdc, details } = alert;
  const payout = market.settlement === null ? null : (resolutionOf(alert, market.settlement)?.payout ?? null);
  const order = { at: tradedAt, outcome, publishedAt, payout };
  return {
    ...{ id, type, score, category },
    ruleVersion: details.ruleVersion,
    publishedAt,
    tradedAt,
    entryPrice,
    usdc,
    positionPrice: positionPriceOf(alert),
    isFirst,
    moves: priceMoves(market, order),
    controls: measureControls(
      market,
      {
        ...order,
        entryPrice,
        wallets: [alert.wallet, ...(details.wallets ?? [])],
        logHash: alert.log?.hash ?? '',
      },
      options,
    ),
    payout,
    pro: followerResult(market, order),
    free: followerResult(market, { ...order, publishedAt: publishedAt + options.freeDelayMs }),
  };
}

/** Those that were published by `asOf`, in the source's time: that of a replayed tape differs from that of the alerts. */
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

/** Of a cluster the mean price of its buys, otherwise of the wallet's; null where it is that of the order alone. */
function positionPriceOf({ type, details }: Alert): number | null {
  if (type === 'cluster') return details.clusterAvgPrice ?? null;
  return details.marketBuyCount > 1 ? details.marketAvgPrice : null;
}

/** The mean of fewer drifts is not stated. */
const FEWEST_MEASURED = 2;

/**
 * Draws the controls of an alert and measures them as the alert: with its delay from order to publication, on the scale of their own
 * outcome. None is drawn until the time from which they come is over: 24 h after the order, or the settlement.
 */
function measureControls(market: MarketAsOf, alert: ControlledAlert, seed: DrawSeed): MeasuredControls {
  const until = Math.min(alert.at + CONTROL_TIME_MS, market.settledAt ?? Number.POSITIVE_INFINITY);
  const drawnAt = until <= market.asOf ? until : null;
  const pool = drawnAt === null ? [] : market.history.buys.filter(({ at }) => at <= until);
  const delay = alert.publishedAt - alert.at;
  const drawn = drawControls(pool, alert, seed).map((buy) => ({
    ...buy,
    publishedAt: buy.at + delay,
    payout: market.payoutOf(buy.outcome),
  }));
  const measured = drawn.map((order) => priceMoves(market, order));
  const after1h = meanOfDrifts(
    measured.map(({ drift1h }) => drift1h),
    [drawnAt, ...measured.map(({ knownAt1h }) => knownAt1h)],
  );
  const after24h = meanOfDrifts(
    measured.map(({ drift24h }) => drift24h),
    [drawnAt, ...measured.map(({ knownAt }) => knownAt)],
  );
  return {
    drawn: drawn.length,
    measured: measured.filter(({ drift24h }) => drift24h !== null).length,
    sameOutcome: drawn.filter(({ outcome }) => outcome === alert.outcome).length,
    meanUsdc: roundedMean(drawn.map(({ usdc }) => usdc)),
    drift1h: after1h.drift,
    drift24h: after24h.drift,
    knownAt1h: after1h.knownAt,
    knownAt: after24h.knownAt,
  };
}

/** `times`: when each was known or found missing; null while pending. */
function meanOfDrifts(drifts: readonly (number | null)[], times: readonly (EpochMs | null)[]) {
  const known = drifts.filter((drift) => drift !== null);
  const past = times.filter((time) => time !== null);
  if (past.length < times.length) return { drift: null, knownAt: null };
  return { drift: known.length < FEWEST_MEASURED ? null : roundedMean(known), knownAt: Math.max(...past) };
}

/** Controls of one alert. */
const MOST_DRAWN = 5;
/** How far from the alert's order a control is at most. */
const CONTROL_TIME_MS = DAY_MS;
/** How far from its price, on the scale of its outcome. */
const PRICE_LIMIT = 0.1;

/** An alert for which controls are drawn. */
export interface ControlledAlert extends TrackedOrder {
  readonly entryPrice: number;
  /** Of the alert and of the members of its cluster: their buys are no controls. */
  readonly wallets: readonly string[];
  /** Hash of its entry in the log; empty where it has none. */
  readonly logHash: string;
}

/** What the draw depends on beside the alert and the buys. */
interface DrawSeed {
  /** Of the rules, which contain the plan of the record. */
  readonly rulesHash: string;
  readonly sha256: Sha256;
}

/**
 * Up to 5 buys of distinct wallets of known, not fresh, age, within 24 h and 10 ¢. Ranked by the SHA-256 of rules hash, log hash and
 * trade key, so that nothing about the draw can be chosen, and taken alternately from both outcomes; when one is used up, from the
 * other. The sequence of `buys` has no influence.
 */
export function drawControls(
  buys: readonly ObservedBuy[],
  alert: ControlledAlert,
  seed: DrawSeed,
): readonly ObservedBuy[] {
  const known = new Set(alert.wallets);
  const eligible = buys.filter((buy) => isNear(buy, alert));
  const distinct = ranked(eligible, alert, seed).filter(({ wallet }) => isNew(known, wallet));
  // The outcome of the lowest hash comes first.
  const [first = [], second = []] = [...Map.groupBy(distinct, ({ outcome }) => outcome).values()];
  const alternating = Array.from({ length: MOST_DRAWN }, (_, index) => [first[index], second[index]]);
  return alternating
    .flat()
    .filter((buy) => buy !== undefined)
    .slice(0, MOST_DRAWN);
}

function isNear({ at, outcome, price, ageClass }: ObservedBuy, alert: ControlledAlert): boolean {
  const onItsScale = outcome === alert.outcome ? price : 1 - price;
  return (
    ageClass === 'not_fresh' &&
    Math.abs(at - alert.at) <= CONTROL_TIME_MS &&
    rounded(Math.abs(onItsScale - alert.entryPrice), 6) <= PRICE_LIMIT
  );
}

function ranked(
  buys: readonly ObservedBuy[],
  { logHash }: ControlledAlert,
  { rulesHash, sha256 }: DrawSeed,
): readonly ObservedBuy[] {
  const hashed = buys.map((buy) => {
    const tradeKey = `${buy.at / SECOND_MS}:${buy.wallet}:${buy.outcome}`;
    return { buy, hash: sha256(`${rulesHash}|${logHash}|${tradeKey}`) };
  });
  return hashed.sort((a, b) => (a.hash < b.hash ? -1 : 1)).map(({ buy }) => buy);
}

function isNew(known: Set<string>, wallet: string): boolean {
  const { size } = known;
  return known.add(wallet).size > size;
}
