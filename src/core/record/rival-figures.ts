import type { Observation } from './figure.ts';
import { orderedMean } from './ordered-sum.ts';
import type { Period, PeriodBuy } from './periods.ts';
import type { FigureName } from './record-report.ts';
import { LARGE_RIVAL_USDC } from './rivals.ts';

/** Figures of buys that compete with the alerts: what a simpler rule would have named. */
export type RivalFigure = Extract<FigureName, `rivals_${string}`>;

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
export function rivalObservations(
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
export function rivalMeans(
  name: RivalFigure,
  period: Pick<Period, 'rivals' | 'counted'>,
): ReadonlyMap<string, number> {
  const byEvent = Map.groupBy(rivalObservations(name, period), ({ event }) => event);
  return new Map([...byEvent].map(([event, own]) => [event, orderedMean(own.map(({ value }) => value))]));
}

/** Null where either is unknown. */
export function difference(a: number | null, b: number | null): number | null {
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
