import { ALERT_TYPES } from '../detection/candidate.ts';
import { CATEGORIES } from '../trades/category.ts';
import { meanOf } from './figure.ts';
import { alertObservations } from './figures.ts';
import type { PeriodAlert } from './periods.ts';
import type { RecordGroup, RecordGroups } from './record-report.ts';
import { SCORE_BANDS, scoreBandOf } from './score-bands.ts';

/** The counted alerts by month, type, band and category. Only groups with an alert; months ascend. */
export function groupsOf(alerts: readonly PeriodAlert[]): RecordGroups {
  const monthOf = ({ publishedAt }: PeriodAlert) =>
    new Date(publishedAt).toISOString().slice(0, 'YYYY-MM'.length);
  const months = [...new Set(alerts.map(monthOf))].sort();
  return {
    months: groupsBy(alerts, months, monthOf),
    types: groupsBy(alerts, ALERT_TYPES, ({ type }) => type),
    bands: groupsBy(
      alerts,
      SCORE_BANDS.map(({ band }) => band),
      ({ score }) => scoreBandOf(score),
    ),
    categories: groupsBy(alerts, CATEGORIES, ({ category }) => category),
  };
}

function groupsBy<Name extends string>(
  alerts: readonly PeriodAlert[],
  names: readonly Name[],
  nameOf: (alert: PeriodAlert) => Name,
): readonly RecordGroup[] {
  const groups = Map.groupBy(alerts, nameOf);
  return names.flatMap((name) => {
    const own = groups.get(name);
    return own === undefined ? [] : [groupOf(name, own)];
  });
}

function groupOf(name: string, alerts: readonly PeriodAlert[]): RecordGroup {
  return {
    name,
    alerts: alerts.length,
    events: new Set(alerts.map(({ event }) => event)).size,
    drift_24h_minus_controls: meanOf(alertObservations('drift_24h_minus_controls', alerts)),
    won_minus_price: meanOf(alertObservations('won_minus_price', alerts)),
  };
}
