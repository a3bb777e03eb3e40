import type { EpochMs } from '../base/time/duration.ts';
import type { RecordPlan } from '../detection/record-plan.ts';
import { publishedTime, type TimeMapping } from '../trades/source/source.ts';
import { type Bettors, type Capital, moveInterval, type Offer, oneAtATime, playBets } from './bettor.ts';
import { conclusionOf, rightWords } from './conclusion.ts';
import { orderedMean, roundedMean, toDecimals } from './figure.ts';
import { figuresOf, type Stage, type StageAlert, stagesOf } from './figures.ts';
import type { MeasuredMarket, PriceMove } from './measured-market.ts';
import type {
  MoveBettor,
  RecordBettor,
  RecordCapital,
  RecordCounts,
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
    figures: figuresOf(counted),
  };
}

/** One bet at a time, on the price a day later. */
function moveBettor(alerts: readonly StageAlert[], dated: Dated): MoveBettor {
  const bets = oneAtATime(alerts.flatMap(({ id, move }) => offerOf(id, move, move)));
  const { low, high } = moveInterval(bets, MOVE_THRESHOLD);
  const played = playBets(bets, { threshold: MOVE_THRESHOLD });
  return {
    ...bettorReport(played, MOVE_THRESHOLD, dated),
    course: played.bought.course.map(({ at, capital }) => ({
      at: dated(at),
      capital: toDecimals(capital),
    })),
    mean: roundedMean(bets.flatMap(({ price, value }) => (value === null ? [] : [value - price]))),
    low: toDecimals(low),
    high: toDecimals(high),
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

function countsOf({ published, counted }: Stage): RecordCounts {
  return {
    alerts: published.length,
    counted: counted.length,
    events: new Set(counted.map(({ event }) => event)).size,
    settled: counted.filter(({ payout }) => payout !== null).length,
    right: counted.filter(({ payout }) => payout === 1).length,
    wrong: counted.filter(({ payout }) => payout === 0).length,
  };
}
