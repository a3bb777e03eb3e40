import type { EpochMs } from '../base/time/duration.ts';
import type { Observation } from './figure.ts';
import type { Period, PeriodAlert } from './periods.ts';
import type { FigureName } from './record-report.ts';
import { difference, type RivalFigure, rivalMeans, rivalObservations } from './rival-figures.ts';

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
