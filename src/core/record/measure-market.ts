import type { Alert } from '../alerts/alert.ts';
import { resolutionOf } from '../alerts/resolution.ts';
import { rounded } from '../base/rounded.ts';
import type { EpochMs } from '../base/time/duration.ts';
import { CONTROL_TIME_MS, type ControlledAlert, type DrawSeed, drawControls } from './draw-controls.ts';
import { roundedMean } from './figure.ts';
import { followerResult } from './follower-result.ts';
import { MarketAsOf } from './market-as-of.ts';
import type { MeasuredAlert, MeasuredControls, MeasuredMarket, RecordMarket } from './measured-market.ts';
import { type OutcomeSide, outcomeSideOf } from './observations/outcome-side.ts';
import { priceMoves, timedMoves } from './price-moves.ts';
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
  const { marketId, slug, eventSlug, tags, endsAt } = given.market;
  const market = new MarketAsOf(given, options.asOf);
  return {
    marketId,
    slug,
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
  const { id, key, wallet, type, score, category, entryPrice, usdc, details } = alert;
  const payout = market.settlement === null ? null : (resolutionOf(alert, market.settlement)?.payout ?? null);
  const order = { at: tradedAt, outcome, publishedAt, payout };
  return {
    id,
    key,
    wallet,
    outcome: alert.outcome,
    type,
    score,
    category,
    ruleVersion: details.ruleVersion,
    publishedAt,
    tradedAt,
    entryPrice,
    usdc,
    profitAtStake: details.profitAtStake ?? rounded(usdc * (1 / entryPrice - 1), 6),
    positionPrice: positionPriceOf(alert),
    isFirst,
    moves: priceMoves(market, order),
    controls: measureControls(
      market,
      { ...order, entryPrice, wallets: walletsOf(alert), logHash: alert.log?.hash ?? '' },
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

function walletsOf({ wallet, details }: Alert): readonly string[] {
  return [wallet, ...(details.wallets ?? [])];
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
  const measured = drawn.map((order) => timedMoves(market, order));
  const after1h = meanOfDrifts(
    measured.map(({ moves }) => moves.drift1h),
    [drawnAt, ...measured.map(({ decidedAt: [time] }) => time)],
  );
  const after24h = meanOfDrifts(
    measured.map(({ moves }) => moves.drift24h),
    [drawnAt, ...measured.map(({ decidedAt: [, time] }) => time)],
  );
  return {
    drawn: drawn.length,
    measured: measured.filter(({ moves }) => moves.drift24h !== null).length,
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
