import type { EpochMs } from '../base/time/duration.ts';
import { type Observation, orderedMean } from './figure.ts';
import type { Period, PeriodAlert, PeriodBuy } from './periods.ts';
import type { FigureName } from './record-report.ts';
import { LARGE_RIVAL_USDC } from './rivals.ts';

/** Figures that one alert has on its own. */
export type AlertFigure = Exclude<FigureName, RivalFigure | 'drift_24h_minus_rivals_1000'>;

const ALERT_VALUES: Readonly<Record<AlertFigure, (alert: PeriodAlert) => number | null>> = {
  impact: ({ moves }) => moves.impact,
  drift_1h: ({ moves }) => moves.drift1h,
  drift_24h: ({ moves }) => moves.drift24h,
  drift_24h_from_entry: ({ moves, entryPrice }) => {
    const { reference, drift24h } = moves;
    return reference === null || drift24h === null ? null : reference + drift24h - entryPrice;
  },
  controls_drift_1h: ({ controls }) => controls.drift1h,
  controls_drift_24h: ({ controls }) => controls.drift24h,
  drift_1h_minus_controls: ({ moves, controls }) => difference(moves.drift1h, controls.drift1h),
  drift_24h_minus_controls: ({ moves, controls }) => difference(moves.drift24h, controls.drift24h),
  won_minus_price: ({ payout, entryPrice }) => difference(payout, entryPrice),
  position_won_minus_price: ({ payout, positionPrice }) => difference(payout, positionPrice),
  follower_free: ({ free }) => free.result,
  follower_pro: ({ pro }) => pro.result,
};

/** What was paid for the results of these figures; the others are no results. */
const PRICES: Readonly<Partial<Record<AlertFigure, (alert: PeriodAlert) => number | null>>> = {
  won_minus_price: ({ entryPrice }) => entryPrice,
  follower_pro: ({ pro: { price, fee } }) => (price === null || fee === null ? null : price + fee),
};

/** When each of the compared figures was known; null while it is not. */
const KNOWN_AT: Readonly<Partial<Record<FigureName, (alert: PeriodAlert) => EpochMs | null>>> = {
  drift_24h_minus_controls: ({ moves, controls }) => later(moves.knownAt, controls.knownAt),
  drift_1h_minus_controls: ({ moves, controls }) => later(moves.knownAt1h, controls.knownAt1h),
  drift_24h_minus_rivals_1000: ({ moves }) => moves.knownAt,
  won_minus_price: ({ settledAt }) => settledAt,
  follower_pro: ({ settledAt }) => settledAt,
};

/** The counted alerts, or the rivals, that have a figure. */
export function observationsOf(name: FigureName, period: Period): readonly Observation[] {
  if (isAlertFigure(name)) return alertObservations(name, period.counted);
  if (name !== 'drift_24h_minus_rivals_1000') return rivalObservations(name, period);
  const rivals = rivalMeans('rivals_1000_drift_24h', period);
  return alertObservations('drift_24h', period.counted).flatMap(({ event, value }) => {
    const rival = rivals.get(event);
    return rival === undefined ? [] : [{ event, value: value - rival }];
  });
}

/** The same with what was known at a moment, for figures that are compared. */
export function observationsKnownAt(
  name: FigureName,
  period: Period,
  moment: EpochMs,
): readonly Observation[] {
  const isKnown = (knownAt: EpochMs | null | undefined) => typeof knownAt === 'number' && knownAt <= moment;
  const counted = period.counted.filter((alert) => isKnown(KNOWN_AT[name]?.(alert)));
  const rivals = period.rivals.filter(({ moves }) => isKnown(moves.knownAt));
  return observationsOf(name, { ...period, counted, rivals });
}

/** The alerts that have the figure. */
export function alertObservations(name: AlertFigure, alerts: readonly PeriodAlert[]): readonly Observation[] {
  return alerts.flatMap((alert) => {
    const value = ALERT_VALUES[name](alert);
    const price = PRICES[name]?.(alert) ?? null;
    if (value === null) return [];
    return [{ event: alert.event, value, ...(price === null ? {} : { price }) }];
  });
}

function isAlertFigure(name: FigureName): name is AlertFigure {
  return Object.hasOwn(ALERT_VALUES, name);
}

function later(a: EpochMs | null, b: EpochMs | null): EpochMs | null {
  return a === null || b === null ? null : Math.max(a, b);
}

/** Figures of buys that compete with the alerts: what a simpler rule would have named. */
type RivalFigure = Extract<FigureName, `rivals_${string}`>;

type Rivals = (period: Pick<Period, 'rivals' | 'counted'>) => readonly PeriodBuy[];
type Value = (buy: PeriodBuy) => number | null;

const drift: Value = ({ moves }) => moves.drift24h;
const result: Value = ({ payout, price }) => difference(payout, price);
/** One buy of each wallet, market and outcome: the first of this size. */
const from1000: Rivals = ({ rivals }) => rivals.filter(({ isFirst }) => isFirst);
const from5000: Rivals = ({ rivals }) => rivals.filter(({ usdc }) => usdc >= LARGE_RIVAL_USDC);
const byUsdc: Rivals = (period) => highest(period, ({ usdc }) => usdc);
const byProfitAtStake: Rivals = (period) => highest(period, ({ profitAtStake }) => profitAtStake);

const FIGURES_OF_RIVALS: Readonly<Record<RivalFigure, readonly [Rivals, Value]>> = {
  rivals_1000_drift_24h: [from1000, drift],
  rivals_1000_won_minus_price: [from1000, result],
  rivals_5000_drift_24h: [from5000, drift],
  rivals_5000_won_minus_price: [from5000, result],
  rivals_by_usdc_drift_24h: [byUsdc, drift],
  rivals_by_usdc_won_minus_price: [byUsdc, result],
  rivals_by_profit_at_stake_drift_24h: [byProfitAtStake, drift],
  rivals_by_profit_at_stake_won_minus_price: [byProfitAtStake, result],
};

/** The rivals that have the figure. */
function rivalObservations(
  name: RivalFigure,
  period: Pick<Period, 'rivals' | 'counted'>,
): readonly Observation[] {
  const [rivals, value] = FIGURES_OF_RIVALS[name];
  return rivals(period).flatMap((buy) => {
    const own = value(buy);
    return own === null ? [] : [{ event: buy.event, value: own }];
  });
}

/** The mean of the rivals of each event that has one. */
function rivalMeans(
  name: RivalFigure,
  period: Pick<Period, 'rivals' | 'counted'>,
): ReadonlyMap<string, number> {
  const byEvent = Map.groupBy(rivalObservations(name, period), ({ event }) => event);
  return new Map([...byEvent].map(([event, own]) => [event, orderedMean(own.map(({ value }) => value))]));
}

/** Null where either is unknown. */
function difference(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a - b;
}

/** As many buys as alerts are counted, those that rank highest; of equal ones the earlier. */
function highest(
  { rivals, counted }: Pick<Period, 'rivals' | 'counted'>,
  rank: (buy: PeriodBuy) => number,
): readonly PeriodBuy[] {
  return rivals
    .toSorted(
      (a, b) => rank(b) - rank(a) || a.at - b.at || a.price - b.price || (a.wallet < b.wallet ? -1 : 1),
    )
    .slice(0, counted.length);
}
