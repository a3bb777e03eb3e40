import { SCORE_BANDS, scoreBandOf } from '../alerts/alert-names.ts';
import type { EpochMs } from '../base/time/duration.ts';
import { ALERT_TYPES } from '../detection/candidate.ts';
import type { RecordPlan } from '../detection/record-plan.ts';
import { publishedTime, type TimeMapping } from '../trades/source/source.ts';
import { CATEGORIES } from '../trades/trade.ts';
import {
  type Bettors,
  type Capital,
  courseOf,
  moveInterval,
  type Offer,
  oneAtATime,
  playBets,
} from './bettor.ts';
import { conclusionOf, rightWords } from './conclusion.ts';
import { orderedMean, roundedMean, toDecimals } from './figure.ts';
import { alertMean, figuresOf, type Stage, type StageAlert, stagesOf } from './figures.ts';
import type { FollowerResult, MeasuredMarket, PriceMove } from './measured-market.ts';
import type {
  MoveBettor,
  RecordBettor,
  RecordCapital,
  RecordControls,
  RecordCounts,
  RecordExits,
  RecordGroup,
  RecordGroups,
  RecordReport,
  RecordStage,
  Verdict,
  WithdrawnVerdict,
} from './record-report.ts';

/** What a record is compiled by. */
export interface CompileOptions {
  readonly plan: RecordPlan;
  /** The version of the rules, and the SHA-256 of their canonical JSON, as the log has them. */
  readonly rules: { readonly version: string; readonly sha256: string };
  /** The time of the source up to which the markets were measured. */
  readonly asOf: EpochMs;
  /** How published times follow from those of the source; null where they are the same. */
  readonly mapping?: TimeMapping | null;
  /** The record that was published before; null for the first. */
  readonly previous?: RecordReport | null;
}

/** Capital that shows something: an error of 4 % for the primary figure and 1 % for results, half on each side. */
const MOVE_THRESHOLD = 50;
const HOLD_THRESHOLD = 200;

/** The record of measured markets (docs/method.md). Pure; the order of the markets does not change a byte. */
export function compileRecord(markets: readonly MeasuredMarket[], options: CompileOptions): RecordReport {
  const { plan, rules, asOf, mapping = null, previous = null } = options;
  const dated: Dated = (at) => new Date(mapping === null ? at : publishedTime(mapping, at)).toISOString();
  const found = stagesOf(markets, plan);
  const stages = found.map((stage) => stageReport(stage, plan, dated));
  const isPlan = asOf >= Date.parse(plan.startsAt);
  return {
    as_of: dated(asOf),
    rules: { version: rules.version, sha256: rules.sha256 },
    plan: { starts_at: plan.startsAt },
    conclusion:
      stages[0]?.conclusion ??
      conclusionOf({ stage: isPlan ? 'plan' : 'rehearsal', startsAt: plan.startsAt, bettor: null }),
    results: found[0] === undefined ? null : resultsOf(found[0]),
    stages,
    withdrawn: [...(previous?.withdrawn ?? []), ...withdrawnSince(previous, stages, dated(asOf))],
  };
}

/** A time of the source as a published date. */
type Dated = (at: EpochMs) => string;

function resultsOf({ counted }: Stage): string | null {
  const settled = counted.filter(({ payout }) => payout !== null);
  if (settled.length === 0) return null;
  return rightWords({
    settled: settled.length,
    right: settled.filter(({ payout }) => payout === 1).length,
    averageEntry: orderedMean(settled.map(({ entryPrice }) => entryPrice)),
  });
}

function stageReport(stage: Stage, { startsAt }: RecordPlan, dated: Dated): RecordStage {
  const { name, published, counted } = stage;
  const times = published.map(({ publishedAt }) => publishedAt);
  const bettor = moveBettor(counted, dated);
  const [measured, rest] = [true, false].map((is) =>
    counted.filter(({ move }) => (move.state === 'measured') === is),
  ) as [StageAlert[], StageAlert[]];
  return {
    stage: name,
    first_alert_at: dated(times.reduce((a, b) => Math.min(a, b))),
    last_alert_at: dated(times.reduce((a, b) => Math.max(a, b))),
    conclusion: conclusionOf({ stage: name, startsAt, bettor }),
    bettor,
    holder: bettorReport(
      playBets(holdersBets(counted), { threshold: HOLD_THRESHOLD }),
      HOLD_THRESHOLD,
      dated,
    ),
    counts: countsOf(stage),
    coverage: {
      measured: alertMean('won_minus_price', measured),
      rest: alertMean('won_minus_price', rest),
    },
    figures: figuresOf(stage),
    controls: controlsOf(counted),
    exits: exitsOf(stage),
    groups: groupsOf(counted, dated),
  };
}

/** One bet at a time, on the price a day later. */
function moveBettor(alerts: readonly StageAlert[], dated: Dated): MoveBettor {
  const bets = oneAtATime(alerts.flatMap(({ id, move }) => offerOf(id, move, move)));
  const { low, high } = moveInterval(bets, MOVE_THRESHOLD);
  const played = playBets(bets, { threshold: MOVE_THRESHOLD });
  return {
    ...bettorReport(played, MOVE_THRESHOLD, dated),
    mean: roundedMean(bets.flatMap(({ price, value }) => (value === null ? [] : [value - price]))),
    low: toDecimals(low),
    high: toDecimals(high),
    course: courseOf(played, dated),
  };
}

/** The same purchases, each held to its payout. */
function holdersBets(alerts: readonly StageAlert[]): readonly Offer[] {
  return alerts.flatMap(({ id, move, payout, settledAt }) =>
    offerOf(id, move, payout === null ? UNKNOWN_END : { closedAt: settledAt, value: payout }),
  );
}

const UNKNOWN_END = { closedAt: null, value: null };

function offerOf(
  id: number,
  { openedAt, price }: PriceMove,
  { closedAt, value }: Pick<PriceMove, 'closedAt' | 'value'>,
): readonly Offer[] {
  return openedAt === null || price === null ? [] : [{ id, openedAt, price, closedAt, value }];
}

function bettorReport({ bets, open, bought, sold }: Bettors, threshold: number, dated: Dated): RecordBettor {
  const [up, down] = [
    bought.reachedAt ?? Number.POSITIVE_INFINITY,
    sold.reachedAt ?? Number.POSITIVE_INFINITY,
  ];
  const verdict: Verdict = up === down ? 'not_shown' : up < down ? 'above' : 'below';
  return {
    threshold,
    bets,
    open,
    bought: capitalReport(bought, dated),
    sold: capitalReport(sold, dated),
    verdict,
  };
}

function capitalReport({ now, highest, reachedAt }: Capital, dated: Dated): RecordCapital {
  return {
    now: toDecimals(now),
    highest: toDecimals(highest),
    reached_at: reachedAt === null ? null : dated(reachedAt),
  };
}

/** Verdicts of the previous record that this one no longer has. */
function withdrawnSince(
  previous: RecordReport | null,
  stages: readonly RecordStage[],
  withdrawnAt: string,
): readonly WithdrawnVerdict[] {
  return (previous?.stages ?? []).flatMap((before) =>
    (['bettor', 'holder'] as const).flatMap((bettor) => {
      const { verdict, bought, sold } = before[bettor];
      const reachedAt = verdict === 'above' ? bought.reached_at : sold.reached_at;
      const now = stages.find(({ stage }) => stage === before.stage)?.[bettor].verdict;
      if (verdict === 'not_shown' || verdict === now || reachedAt === null) return [];
      return [{ stage: before.stage, bettor, verdict, reached_at: reachedAt, withdrawn_at: withdrawnAt }];
    }),
  );
}

/** The counted alerts by month, type, band, category and rules. Only groups with an alert; months and rules ascend. */
function groupsOf(alerts: readonly StageAlert[], dated: Dated): RecordGroups {
  const monthOf = ({ publishedAt }: StageAlert) => dated(publishedAt).slice(0, 'YYYY-MM'.length);
  const bands = SCORE_BANDS.map(({ band }) => band);
  return {
    months: groupsBy(alerts, monthOf),
    types: groupsBy(alerts, ({ type }) => type, ALERT_TYPES),
    bands: groupsBy(alerts, ({ score }) => scoreBandOf(score).band, bands),
    categories: groupsBy(alerts, ({ category }) => category, CATEGORIES),
    rules: groupsBy(alerts, ({ ruleVersion }) => ruleVersion),
  };
}

/** `names`: their order; ascending where it is not given. */
function groupsBy<Name extends string>(
  alerts: readonly StageAlert[],
  nameOf: (alert: StageAlert) => Name,
  names: readonly Name[] = [...new Set(alerts.map(nameOf))].sort(),
): readonly RecordGroup[] {
  const groups = Map.groupBy(alerts, nameOf);
  return names.flatMap((name) => {
    const own = groups.get(name);
    return own === undefined ? [] : [groupOf(name, own)];
  });
}

function groupOf(name: string, alerts: readonly StageAlert[]): RecordGroup {
  return {
    name,
    alerts: alerts.length,
    events: new Set(alerts.map(({ event }) => event)).size,
    move_24h: alertMean('move_24h', alerts),
    won_minus_price: alertMean('won_minus_price', alerts),
  };
}

/** How many alerts a stage has, and why some of them have no figure. */
function countsOf({ published, counted }: Stage): RecordCounts {
  return {
    alerts: published.length,
    counted: counted.length,
    events: new Set(counted.map(({ event }) => event)).size,
    settled: counted.filter(({ payout }) => payout !== null).length,
    right: counted.filter(({ payout }) => payout === 1).length,
    wrong: counted.filter(({ payout }) => payout === 0).length,
    move_24h: countBy(
      ['measured', 'pending', 'no_price', 'unobserved'],
      counted.map(({ move }) => move.state),
    ),
    follower_free: followerCounts(counted.map(({ free }) => free)),
    follower_pro: followerCounts(counted.map(({ pro }) => pro)),
  };
}

function followerCounts(results: readonly FollowerResult[]) {
  return countBy(
    ['settled', 'settlement', 'waiting', 'not_fillable', 'fee_unknown', 'unobserved'],
    results.map(({ state }) => state),
  );
}

function countBy<State extends string>(
  names: readonly State[],
  states: readonly State[],
): Record<State, number> {
  const counts = names.map((name) => [name, states.filter((state) => state === name).length]);
  return Object.fromEntries(counts) as Record<State, number>;
}

function exitsOf({ exits }: Stage): RecordExits {
  // In cents, so that the sum does not depend on the sequence.
  const sum = (amounts: readonly number[]) =>
    amounts.reduce((all, usdc) => all + Math.round(usdc * 100), 0) / 100;
  return {
    positions: exits.length,
    realized_usdc: sum(exits.map(({ realized }) => realized)),
    held_usdc: sum(exits.map(({ held }) => held)),
  };
}

/** The controls of the counted alerts. */
function controlsOf(alerts: readonly StageAlert[]): RecordControls {
  const total = (count: (alert: StageAlert) => number) =>
    alerts.reduce((sum, alert) => sum + count(alert), 0);
  const eligible = total(({ controls }) => controls.eligible);
  const usdc = total(({ controls }) => Math.round(controls.usdc * 1e6)) / 1e6;
  return {
    eligible,
    measured: total(({ controls }) => controls.measured),
    mean_usdc: eligible === 0 ? null : toDecimals(usdc / eligible),
    alerts_mean_usdc: roundedMean(alerts.map((alert) => alert.usdc)),
  };
}
