import type { EpochMs } from '../base/time/duration.ts';
import { CONTROL_TIME_MS, type ControlledAlert, type DrawSeed, drawControls } from './draw-controls.ts';
import { roundedMean } from './figure.ts';
import type { MarketAsOf } from './market-as-of.ts';
import type { MeasuredControls } from './measured-market.ts';
import { timedMoves } from './price-moves.ts';

/** The mean of fewer drifts is not stated. */
const FEWEST_MEASURED = 2;

/**
 * Draws the controls of an alert and measures them as the alert: with its delay from order to publication, on the scale of their own
 * outcome. None is drawn until the time from which they come is over: 24 h after the order, or the settlement.
 */
export function measureControls(
  market: MarketAsOf,
  alert: ControlledAlert,
  seed: DrawSeed,
): MeasuredControls {
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
