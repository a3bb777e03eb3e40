import type { EpochMs } from '../base/time/duration.ts';
import { ALERT_TYPES } from '../detection/candidate.ts';
import type { RecordPlan } from '../detection/record-plan.ts';
import { CATEGORIES } from '../trades/trade.ts';
import { type Blocks, blocksOf } from './blocks.ts';
import { figureOf, meanOf, roundedMean, toDecimals } from './figure.ts';
import { alertObservations, observationsOf } from './figures.ts';
import { DRIFT_STATES, FOLLOWER_STATES, type MeasuredMarket } from './measured-market.ts';
import { type Period, type PeriodAlert, periodsOf, timesOf } from './periods.ts';
import {
  FIGURES,
  type FigureName,
  type RecordControls,
  type RecordCounts,
  type RecordGroup,
  type RecordGroups,
  type RecordPeriod,
  type RecordReport,
  SCORE_BANDS,
  scoreBandOf,
} from './record-report.ts';
import { NOTHING_MEASURED, nextVerdictAt, periodConclusion, verdictsOf } from './verdict.ts';

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
    rule_version: period.ruleVersion,
    stage: period.stage,
    first_alert_at: iso(from),
    last_alert_at: iso(to),
    // In its place among the names; the sentence needs what follows.
    conclusion: '',
    counts: countsOf(period, blocks),
    figures,
    controls: controlsOf(period),
    verdicts: verdictsOf(period, plan, asOf),
    next_verdict_at: next === null ? null : iso(next),
    groups: groupsOf(period.counted),
  };
  return { ...said, conclusion: periodConclusion(said, plan) };
}

function iso(at: EpochMs): string {
  return new Date(at).toISOString();
}

/** The counted alerts by month, type, band and category. Only groups with an alert; months ascend. */
function groupsOf(alerts: readonly PeriodAlert[]): RecordGroups {
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
    if (own === undefined) return [];
    const events = new Set(own.map(({ event }) => event)).size;
    const drift = meanOf(alertObservations('drift_24h_minus_controls', own));
    const won = meanOf(alertObservations('won_minus_price', own));
    return { name, alerts: own.length, events, drift_24h_minus_controls: drift, won_minus_price: won };
  });
}

/** How many alerts a period has, and why some of them have no figure. */
function countsOf({ published, counted }: Period, blocks: Blocks): RecordCounts {
  return {
    alerts: published.length,
    counted: counted.length,
    events: blocks.size,
    blocks: new Set(blocks.values()).size,
    settled: counted.filter(({ payout }) => payout !== null).length,
    drift_24h: countsBy(
      DRIFT_STATES,
      counted.map(({ moves }) => moves.state),
    ),
    few_controls: counted.filter(hasFewControls).length,
    follower_free: countsBy(
      FOLLOWER_STATES,
      counted.map(({ free }) => free.state),
    ),
    follower_pro: countsBy(
      FOLLOWER_STATES,
      counted.map(({ pro }) => pro.state),
    ),
  };
}

/** The controls of the counted alerts. */
function controlsOf({ counted }: Period): RecordControls {
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

function countsBy<State extends string>(
  states: readonly State[],
  known: readonly State[],
): Readonly<Record<State, number>> {
  const counts = states.map((state) => [state, known.filter((each) => each === state).length]);
  return Object.fromEntries(counts) as Readonly<Record<State, number>>;
}
