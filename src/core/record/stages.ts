import type { EpochMs } from '../base/time/duration.ts';
import type { RecordPlan } from '../detection/record-plan.ts';
import type { MeasuredAlert, MeasuredBuy, MeasuredExit, MeasuredMarket } from './measured-market.ts';
import type { RecordStageName } from './record-report.ts';

/** An alert with what it has from its market. */
export interface StageAlert extends MeasuredAlert {
  readonly event: string;
  readonly settledAt: EpochMs | null;
}

/** A buy with the event of its market. */
export interface StageBuy extends MeasuredBuy {
  readonly event: string;
}

/** Published alerts from before or since the start of the plan. */
export interface Stage {
  readonly name: RecordStageName;
  readonly published: readonly StageAlert[];
  /** The first of each wallet, market and outcome. */
  readonly counted: readonly StageAlert[];
  /** Positions of its alerts that were sold before the end. */
  readonly exits: readonly MeasuredExit[];
  /** Buys of 1,000 USDC or more around the counted alerts. */
  readonly rivals: readonly StageBuy[];
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
    if (own.length === 0) return [];
    const withCounted = markets.filter(({ alerts }) =>
      alerts.some(({ isFirst, publishedAt }) => isFirst && nameAt(publishedAt) === name),
    );
    const rivals = withCounted.flatMap(({ event, buys }) =>
      buys.filter(({ at }) => nameAt(at) === name).map((buy): StageBuy => ({ ...buy, event })),
    );
    const exits = markets.flatMap((market) =>
      market.exits.filter((exit) => nameAt(exit.publishedAt) === name),
    );
    return [{ name, published: own, counted: own.filter(({ isFirst }) => isFirst), exits, rivals }];
  });
}
