import type { EpochMs } from '../base/time/duration.ts';
import type { RecordPlan } from '../detection/record-plan.ts';
import type { MeasuredAlert, MeasuredBuy, MeasuredMarket } from './measured-market.ts';
import type { RecordPeriod } from './record-report.ts';

type Stage = RecordPeriod['stage'];

/** An alert with what it has from its market. */
export interface PeriodAlert extends MeasuredAlert {
  readonly event: string;
  readonly settledAt: EpochMs | null;
}

/** A buy with the event of its market. */
export interface PeriodBuy extends MeasuredBuy {
  readonly event: string;
}

/** Published alerts of one version of the rules, before or since the start of the plan. */
export interface Period {
  readonly ruleVersion: string;
  readonly stage: Stage;
  readonly published: readonly PeriodAlert[];
  /** The first of each wallet, market and outcome. */
  readonly counted: readonly PeriodAlert[];
  /** Buys of 1,000 USDC or more around the counted alerts. */
  readonly rivals: readonly PeriodBuy[];
  /** Those of the counted alerts. */
  readonly markets: readonly MeasuredMarket[];
}

/** One market's part of a period. */
interface MarketPart extends Pick<Period, 'ruleVersion' | 'stage'> {
  readonly market: MeasuredMarket;
  readonly alerts: readonly MeasuredAlert[];
  readonly buys: readonly MeasuredBuy[];
}

/** The periods of all published alerts, the one with the latest alert first. */
export function periodsOf(markets: readonly MeasuredMarket[], plan: RecordPlan): readonly Period[] {
  const startsAt = Date.parse(plan.startsAt);
  const parts = markets.flatMap((market) => partsOf(market, startsAt));
  const byPeriod = Map.groupBy(parts, ({ ruleVersion, stage }) => JSON.stringify([ruleVersion, stage]));
  return [...byPeriod.values()]
    .map(periodOf)
    .map((period) => ({ period, latest: timesOf(period).to, name: `${period.stage} ${period.ruleVersion}` }))
    .sort((a, b) => b.latest - a.latest || (a.name < b.name ? 1 : -1))
    .map(({ period }) => period);
}

/** Publication of the first and of the last alert. */
export function timesOf({ published }: Period): { readonly from: EpochMs; readonly to: EpochMs } {
  const times = published.map(({ publishedAt }) => publishedAt);
  return {
    from: times.reduce((first, time) => Math.min(first, time)),
    to: times.reduce((last, time) => Math.max(last, time)),
  };
}

/** A market whose alerts are of several periods is divided: each buy belongs to that of the alert nearest to it in time. */
function partsOf(market: MeasuredMarket, startsAt: EpochMs): readonly MarketPart[] {
  const stageOf = ({ publishedAt }: MeasuredAlert): Stage =>
    publishedAt < startsAt ? 'before_plan' : 'plan';
  const keyOf = (alert: MeasuredAlert) => `${stageOf(alert)} ${alert.ruleVersion}`;
  const byKey = Map.groupBy(market.alerts, keyOf);
  const buys = byKey.size <= 1 ? null : Map.groupBy(market.buys, (buy) => keyOf(nearest(market.alerts, buy)));
  return [...byKey].map(([key, alerts]) => {
    const first = alerts[0] as MeasuredAlert;
    const own = buys === null ? market.buys : (buys.get(key) ?? []);
    return { ruleVersion: first.ruleVersion, stage: stageOf(first), market, alerts, buys: own };
  });
}

function periodOf(parts: readonly MarketPart[]): Period {
  const withCounted = parts.filter(({ alerts }) => alerts.some(({ isFirst }) => isFirst));
  const published = parts.flatMap(({ market: { event, settledAt }, alerts }) =>
    alerts.map((alert): PeriodAlert => ({ ...alert, event, settledAt })),
  );
  return {
    ruleVersion: parts[0]?.ruleVersion ?? '',
    stage: parts[0]?.stage ?? 'plan',
    published,
    counted: published.filter(({ isFirst }) => isFirst),
    rivals: withCounted.flatMap(({ market: { event }, buys }) =>
      buys.map((buy): PeriodBuy => ({ ...buy, event })),
    ),
    markets: withCounted.map(({ market }) => market),
  };
}

/** Of equally near alerts the earlier one, then that with the lower id. */
function nearest(alerts: readonly MeasuredAlert[], { at }: MeasuredBuy): MeasuredAlert {
  const distance = ({ tradedAt }: MeasuredAlert) => Math.abs(tradedAt - at);
  return alerts.reduce((best, alert) => {
    const further = distance(alert) - distance(best) || alert.tradedAt - best.tradedAt || alert.id - best.id;
    return further < 0 ? alert : best;
  });
}
