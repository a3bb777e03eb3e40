import type { RecordReport, Verdict } from '../../src/core/record/record-report.ts';

export interface SimulationOutcome {
  readonly scenario: string;
  readonly seed: number;
  readonly planned: number;
  readonly trades: number;
  readonly alerts: number;
  readonly counted: number;
  readonly events: number;
  readonly blocks: number;
  /** Means of the figures that describe the simulated world. */
  readonly figures: Readonly<Record<DescribedFigure, FigureSummary>>;
  /** In the order of the plan; the first is the primary one. */
  readonly comparisons: readonly ComparisonSummary[];
  readonly seconds: number;
}

const DESCRIBED = [
  'impact',
  'drift_1h',
  'drift_24h',
  'controls_drift_24h',
  'drift_24h_minus_controls',
  'won_minus_price',
  'follower_pro',
] as const;
type DescribedFigure = (typeof DESCRIBED)[number];

interface FigureSummary {
  readonly events: number;
  readonly mean: number | null;
  /** Standard deviation of an event's figure, by the width of the interval. */
  readonly deviation: number | null;
}

interface ComparisonSummary {
  readonly name: string;
  readonly mean: number | null;
  readonly p: number | null;
  readonly adjusted: number | null;
  readonly verdict: Verdict;
}

/** Of a record with one period and one verdict. */
export function summarise(
  report: RecordReport,
): Pick<SimulationOutcome, 'alerts' | 'counted' | 'events' | 'blocks' | 'figures' | 'comparisons'> {
  const period = report.periods.find(({ stage }) => stage === 'plan');
  const verdict = period?.verdicts[0];
  if (period === undefined || verdict === undefined) throw new Error('the simulated record has no verdict');
  const { alerts, counted, events, blocks } = period.counts;
  const figures = DESCRIBED.map((name) => {
    const { events, mean, low, high } = period.figures[name];
    const deviation = low === null || high === null ? null : ((high - low) / (2 * 1.96)) * Math.sqrt(events);
    return [name, { events, mean, deviation }] as const;
  });
  const comparisons = verdict.comparisons.map(({ name, mean, p, p_adjusted, verdict }) => ({
    ...{ name, mean, p, adjusted: p_adjusted, verdict },
  }));
  return {
    ...{ alerts, counted, events, blocks },
    figures: Object.fromEntries(figures) as SimulationOutcome['figures'],
    comparisons,
  };
}
