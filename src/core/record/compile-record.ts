import type { EpochMs } from '../base/time/duration.ts';
import type { RecordPlan } from '../detection/record-plan.ts';
import { blocksOf } from './blocks.ts';
import { controlsOf, countsOf } from './counts.ts';
import { figureOf } from './figure.ts';
import { observationsOf } from './figures.ts';
import { groupsOf } from './groups.ts';
import type { MeasuredMarket } from './measured-market.ts';
import { type Period, periodsOf, timesOf } from './periods.ts';
import { FIGURES, type FigureName, type RecordPeriod, type RecordReport } from './record-report.ts';
import { NOTHING_MEASURED, periodConclusion } from './verdict.ts';
import { nextVerdictAt, verdictsOf } from './verdicts.ts';

/** By what a record is compiled. */
export interface CompileOptions {
  readonly plan: RecordPlan;
  /** The version of the rules, and the SHA-256 of their canonical JSON, as the log has them. */
  readonly rules: { readonly version: string; readonly sha256: string };
  /** The time of the source up to which the markets were measured. */
  readonly asOf: EpochMs;
}

/**
 * The record of measured markets (docs/method.md). Pure; markets, alerts and buys in any sequence give the same report, to
 * the last byte.
 */
export function compileRecord(markets: readonly MeasuredMarket[], options: CompileOptions): RecordReport {
  const { plan, rules, asOf } = options;
  const periods = periodsOf(markets, plan).map((period) => periodReport(period, plan, asOf));
  return {
    as_of: iso(asOf),
    rules: { version: rules.version, sha256: rules.sha256 },
    plan: {
      starts_at: plan.startsAt,
      verdict_days: plan.verdictDays,
      comparisons: plan.comparisons.map(({ name, weight }) => ({ name, weight })),
    },
    conclusion: periods[0]?.conclusion ?? NOTHING_MEASURED,
    periods,
  };
}

function periodReport(period: Period, plan: RecordPlan, asOf: EpochMs): RecordPeriod {
  const blocks = blocksOf(period.markets, asOf);
  const figures = Object.fromEntries(
    FIGURES.map((name) => [name, figureOf(observationsOf(name, period), blocks)]),
  ) as unknown as Readonly<Record<FigureName, RecordPeriod['figures'][FigureName]>>;
  const { from, to } = timesOf(period);
  const next = nextVerdictAt(period, plan, asOf);
  const said = {
    stage: period.stage,
    counts: countsOf(period, blocks),
    figures,
    verdicts: verdictsOf(period, plan, asOf),
    next_verdict_at: next === null ? null : iso(next),
  };
  return {
    rule_version: period.ruleVersion,
    stage: said.stage,
    first_alert_at: iso(from),
    last_alert_at: iso(to),
    conclusion: periodConclusion(said, plan),
    counts: said.counts,
    figures,
    controls: controlsOf(period),
    verdicts: said.verdicts,
    next_verdict_at: said.next_verdict_at,
    groups: groupsOf(period.counted),
  };
}

function iso(at: EpochMs): string {
  return new Date(at).toISOString();
}
