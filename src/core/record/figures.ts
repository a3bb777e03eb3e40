import type { EpochMs } from '../base/time/duration.ts';
import type { RecordPlan } from '../detection/record-plan.ts';
import { meanOf, type Observation } from './figure.ts';
import { LARGE_RIVAL_USDC } from './measure-market.ts';
import type { MeasuredAlert, MeasuredBuy, MeasuredExit, MeasuredMarket } from './measured-market.ts';
import { FIGURES, type FigureName, type RecordMean, type RecordStageName } from './record-report.ts';

/** An alert with the facts of its market. */
export interface StageAlert extends MeasuredAlert {
  readonly event: string;
  readonly settledAt: EpochMs | null;
}

/** A buy with the event of its market. */
interface StageBuy extends MeasuredBuy {
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

type AlertFigure = Exclude<FigureName, `rivals_${string}`>;

const ALERT_VALUES: Readonly<Record<AlertFigure, (alert: StageAlert) => number | null>> = {
  impact: ({ move }) => difference(move.price, move.before),
  move_1h: ({ move }) => difference(move.afterHour, move.price),
  move_24h: ({ move }) => difference(move.value, move.price),
  move_24h_from_entry: ({ move, entryPrice }) => difference(move.value, entryPrice),
  controls_move_24h: ({ controls }) => controls.move24h,
  move_24h_minus_controls: ({ move, controls }) =>
    difference(difference(move.value, move.price), controls.move24h),
  won_minus_price: ({ payout, entryPrice }) => difference(payout, entryPrice),
  position_won_minus_price: ({ payout, positionPrice }) => difference(payout, positionPrice),
  follower_free: ({ free }) => free.result,
  follower_pro: ({ pro }) => pro.result,
};

const BUY_VALUES: Readonly<Record<string, (buy: StageBuy) => number | null>> = {
  move_24h: ({ move }) => difference(move.value, move.price),
  won_minus_price: ({ payout, price }) => difference(payout, price),
};

/** Buys that compete with the alerts: what a simpler rule would have named. */
const RIVALS: Readonly<Record<string, (stage: Pick<Stage, 'rivals' | 'counted'>) => readonly StageBuy[]>> = {
  rivals_1000: ({ rivals }) => rivals.filter(({ isFirst }) => isFirst),
  rivals_5000: ({ rivals }) => rivals.filter(({ usdc }) => usdc >= LARGE_RIVAL_USDC),
  rivals_by_usdc: (stage) => highest(stage, ({ usdc }) => usdc),
  rivals_by_to_win: (stage) => highest(stage, ({ toWin }) => toWin),
};

/** All figures of a stage. */
export function figuresOf(stage: Stage): Readonly<Record<FigureName, RecordMean>> {
  const means = new Map<string, RecordMean>();
  for (const name of Object.keys(ALERT_VALUES))
    means.set(name, alertMean(name as AlertFigure, stage.counted));
  for (const [rivals, select] of Object.entries(RIVALS))
    for (const [figure, figureOf] of Object.entries(BUY_VALUES))
      means.set(`${rivals}_${figure}`, meanOf(observationsOf(select(stage), figureOf)));
  const inOrder = FIGURES.map((name) => [name, means.get(name)]);
  return Object.fromEntries(inOrder) as Record<FigureName, RecordMean>;
}

/** The figure over those of the alerts that have it. */
export function alertMean(name: AlertFigure, alerts: readonly StageAlert[]): RecordMean {
  return meanOf(observationsOf(alerts, ALERT_VALUES[name]));
}

function observationsOf<Item extends { readonly event: string }>(
  items: readonly Item[],
  figureOf: (item: Item) => number | null,
): readonly Observation[] {
  return items.flatMap((item) => {
    const value = figureOf(item);
    return value === null ? [] : [{ event: item.event, value }];
  });
}

/** Null where either is unknown. */
function difference(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a - b;
}

/** The highest-ranking buys, as many as counted alerts; ties go to the earlier. */
function highest(
  { rivals, counted }: Pick<Stage, 'rivals' | 'counted'>,
  rank: (buy: StageBuy) => number,
): readonly StageBuy[] {
  return rivals
    .toSorted(
      (a, b) => rank(b) - rank(a) || a.at - b.at || a.price - b.price || (a.wallet < b.wallet ? -1 : 1),
    )
    .slice(0, counted.length);
}
