import type { Blocks } from './blocks.ts';
import { roundedMean, toDecimals } from './figure.ts';
import type { FollowerResult, PriceMoves } from './measured-market.ts';
import type { Period, PeriodAlert } from './periods.ts';
import type { DriftCounts, FollowerCounts, RecordControls, RecordCounts } from './record-report.ts';

/** How many alerts a period has, and why some of them have no figure. */
export function countsOf({ published, counted }: Period, blocks: Blocks): RecordCounts {
  return {
    alerts: published.length,
    counted: counted.length,
    events: blocks.size,
    blocks: new Set(blocks.values()).size,
    settled: counted.filter(({ payout }) => payout !== null).length,
    drift_24h: driftCounts(counted),
    few_controls: counted.filter(hasFewControls).length,
    follower_free: followerCounts(counted.map(({ free }) => free)),
    follower_pro: followerCounts(counted.map(({ pro }) => pro)),
  };
}

/** The controls of the counted alerts. */
export function controlsOf({ counted }: Period): RecordControls {
  const total = (count: (alert: PeriodAlert) => number) =>
    counted.reduce((sum, alert) => sum + count(alert), 0);
  const drawn = total(({ controls }) => controls.drawn);
  // Each alert's controls have one mean; it counts once for each of them.
  const sizes = counted.flatMap(({ controls: { drawn: own, meanUsdc } }) =>
    meanUsdc === null ? [] : Array<number>(own).fill(meanUsdc),
  );
  const same = total(({ controls }) => controls.sameOutcome);
  return {
    drawn,
    measured: total(({ controls }) => controls.measured),
    mean_usdc: roundedMean(sizes),
    alerts_mean_usdc: roundedMean(counted.map(({ usdc }) => usdc)),
    same_outcome: drawn === 0 ? null : toDecimals(same / drawn),
  };
}

function hasFewControls({ moves, controls }: PeriodAlert): boolean {
  return moves.state === 'measured' && controls.knownAt !== null && controls.drift24h === null;
}

function driftCounts(alerts: readonly PeriodAlert[]): DriftCounts {
  const of = (state: PriceMoves['state']) => alerts.filter(({ moves }) => moves.state === state).length;
  return {
    measured: of('measured'),
    pending: of('pending'),
    stale: of('stale'),
    unobserved: of('unobserved'),
  };
}

function followerCounts(results: readonly FollowerResult[]): FollowerCounts {
  const of = (state: FollowerResult['state']) => results.filter((result) => result.state === state).length;
  return {
    settled: of('settled'),
    settlement: of('settlement'),
    waiting: of('waiting'),
    not_fillable: of('not_fillable'),
    fee_unknown: of('fee_unknown'),
    unobserved: of('unobserved'),
  };
}
