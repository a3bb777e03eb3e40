import type { EpochMs } from '../base/time/duration.ts';
import type { RecordPlan } from '../detection/record-plan.ts';
import { meanOf } from './figure.ts';
import type { MeasuredAlert, MeasuredMarket } from './measured-market.ts';
import { FIGURES, type FigureName, type RecordMean, type RecordStageName } from './record-report.ts';

/** An alert with the facts of its market. */
export interface StageAlert extends MeasuredAlert {
  readonly event: string;
  readonly settledAt: EpochMs | null;
}

/** Published alerts from before or since the start of the plan. */
export interface Stage {
  readonly name: RecordStageName;
  readonly published: readonly StageAlert[];
  /** The first of each wallet, market and outcome. */
  readonly counted: readonly StageAlert[];
}

/** The stages that have alerts, the newer one first. */
export function stagesOf(markets: readonly MeasuredMarket[], { startsAt }: RecordPlan): readonly Stage[] {
  const start = Date.parse(startsAt);
  const nameAt = (at: EpochMs): RecordStageName => (at < start ? 'rehearsal' : 'plan');
  const published = markets.flatMap(({ event, settledAt, alerts }) =>
    alerts.map((alert): StageAlert => ({ ...alert, event, settledAt })),
  );
  return (['plan', 'rehearsal'] as const).flatMap((name) => {
    const own = published.filter(({ publishedAt }) => nameAt(publishedAt) === name);
    return own.length === 0 ? [] : [{ name, published: own, counted: own.filter(({ isFirst }) => isFirst) }];
  });
}

const VALUES: Readonly<Record<FigureName, (alert: StageAlert) => number | null>> = {
  move_24h: ({ move }) => difference(move.value, move.price),
  won_minus_price: ({ payout, entryPrice }) => difference(payout, entryPrice),
};

/** Each figure over those of the alerts that have it. */
export function figuresOf(alerts: readonly StageAlert[]): Readonly<Record<FigureName, RecordMean>> {
  const means = FIGURES.map((name) => [name, meanOf(observationsOf(alerts, VALUES[name]))]);
  return Object.fromEntries(means) as Record<FigureName, RecordMean>;
}

function observationsOf(alerts: readonly StageAlert[], worthOf: (alert: StageAlert) => number | null) {
  return alerts.flatMap((alert) => {
    const value = worthOf(alert);
    return value === null ? [] : [{ event: alert.event, value }];
  });
}

/** Null where either is unknown. */
function difference(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a - b;
}
