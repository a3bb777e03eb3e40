import { rounded } from '../base/rounded.ts';
import type { EpochMs } from '../base/time/duration.ts';
import type { RecordPlan } from '../detection/record-plan.ts';
import { publishedTime, type TimeMapping } from '../trades/source/source.ts';
import { conclusionOf, rightWords } from './conclusion.ts';
import type { FollowerPrices } from './follower-prices.ts';
import { type Bet, type Capital, inOrder, mirrored, moveInterval, oneAtATime, playBets } from './purses.ts';
import type {
  RecordCapital,
  RecordCapitalPoint,
  RecordFigure,
  RecordReport,
  Verdict,
} from './record-report.ts';

/** The first alert of its wallet, market and outcome, with what is known of it. */
export interface CountedAlert extends FollowerPrices {
  readonly id: number;
  /** Slug of the event; of the market where the event is unknown. */
  readonly event: string;
  readonly entryPrice: number;
  /** 1, 0 or 0.5; null until settled. */
  readonly payout: number | null;
}

/** What a record is compiled by. */
export interface CompileOptions {
  readonly plan: RecordPlan;
  /** The version of the rules, and the SHA-256 of their canonical JSON, as the log has them. */
  readonly rules: { readonly version: string; readonly sha256: string };
  /** The time of the source up to which everything is used. */
  readonly asOf: EpochMs;
  /** How published times follow from those of the source; null where they are the same. */
  readonly mapping: TimeMapping | null;
}

/** Capital that shows something: an error of 4% for the price a day later and 1% for payouts, half on each side. */
const DAY_THRESHOLD = 50;
const PAYOUT_THRESHOLD = 200;

/** Decimals of published prices and capital. */
const DECIMALS = 6;

/** The record of alerts (docs/method.md), of which `counted` are the first of their bets, ascending by id. Pure. */
export function compileRecord(
  { alerts, counted }: { readonly alerts: number; readonly counted: readonly CountedAlert[] },
  { plan: { startsAt }, rules, asOf, mapping }: CompileOptions,
): RecordReport {
  const dated = (at: EpochMs) => new Date(mapping === null ? at : publishedTime(mapping, at)).toISOString();
  const dayBets = oneAtATime(counted.flatMap(dayBet));
  const { figure, bought } = figureOf(dayBets, DAY_THRESHOLD);
  const isRehearsal = isBefore(asOf, startsAt);
  const settled = counted.filter(({ payout }) => payout !== null);
  const right = settled.filter(({ payout }) => payout === 1).length;
  return {
    as_of: dated(asOf),
    rules,
    starts_at: startsAt,
    is_rehearsal: isRehearsal,
    conclusion: conclusionOf({ startsAt: isRehearsal ? startsAt : null, figure }),
    results:
      settled.length === 0
        ? null
        : rightWords({
            settled: settled.length,
            right,
            averageEntry: meanOf(settled.map(({ entryPrice }) => entryPrice)),
          }),
    alerts,
    counted: counted.length,
    settled: settled.length,
    right,
    day_later: figure,
    payout: figureOf(oncePerEvent(counted), PAYOUT_THRESHOLD).figure,
    bankroll: bankrollOf(dayBets, bought, dated),
  };
}

/** Whether a moment is before the first day (UTC) whose alerts count. */
export function isBefore(at: EpochMs, startsAt: string): boolean {
  return at < Date.parse(startsAt);
}

/** Closed by the first price from a day later on, or by the payout where that is known first. */
function dayBet({ id, bought, later, settledAt, payout }: CountedAlert): readonly Bet[] {
  if (bought === null) return [];
  const { at: openedAt, price } = bought;
  if (later !== null) return [{ id, openedAt, price, closedAt: later.at, value: later.price }];
  return [{ id, openedAt, price, closedAt: payout === null ? null : settledAt, value: payout }];
}

/** The first purchase of each event, held to its payout. */
function oncePerEvent(counted: readonly CountedAlert[]): readonly Bet[] {
  const eventOf = new Map(counted.map(({ id, event }) => [id, event]));
  const known = new Set<string | undefined>();
  return inOrder(counted.flatMap((alert) => dayBet({ ...alert, later: null }))).filter(({ id }) => {
    const event = eventOf.get(id);
    const isFirst = !known.has(event);
    known.add(event);
    return isFirst;
  });
}

function figureOf(bets: readonly Bet[], threshold: number) {
  const closed = bets.flatMap(({ price, value }) => (value === null ? [] : [value - price]));
  const mean = closed.length === 0 ? null : meanOf(closed);
  const [bought, sold] = [playBets(bets), playBets(mirrored(bets))];
  const { low, high } = mean === null ? { low: null, high: null } : moveInterval(bets, { threshold, mean });
  const figure: RecordFigure = {
    threshold,
    bets: bets.length,
    open: bets.length - closed.length,
    mean: published(mean),
    low: published(low),
    high: published(high),
    bought: capitalOf(bought),
    sold: capitalOf(sold),
    verdict: verdictOf(reachedAt(bought, threshold), reachedAt(sold, threshold)),
  };
  return { figure, bought };
}

function verdictOf(above: EpochMs, below: EpochMs): Verdict {
  if (above === below) return 'not_shown';
  return above < below ? 'above' : 'below';
}

/** Infinite if never. */
function reachedAt({ course }: Capital, threshold: number): EpochMs {
  return course.find(({ capital }) => capital >= threshold)?.at ?? Number.POSITIVE_INFINITY;
}

function capitalOf({ now, highest }: Capital): RecordCapital {
  return { now: rounded(now, DECIMALS), highest: rounded(highest, DECIMALS) };
}

function bankrollOf(
  [first]: readonly Bet[],
  { course }: Capital,
  dated: (at: EpochMs) => string,
): readonly RecordCapitalPoint[] {
  const begin = first === undefined ? [] : [{ at: first.openedAt, capital: 1 }];
  return [...begin, ...course].map(({ at, capital }) => ({
    at: dated(at),
    capital: rounded(capital, DECIMALS),
  }));
}

function published(value: number | null): number | null {
  return value === null ? null : rounded(value, DECIMALS);
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
