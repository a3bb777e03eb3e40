import type { AlertPreview } from '../../core/alerts/alert-store.ts';
import { DAY_MS } from '../../core/duration.ts';
import { rounded } from '../../core/rounded.ts';
import type { EpochMs } from '../../core/trade.ts';
import type { ArchiveQueries, Criteria, IdRange, MarketOutcome, MatchCounts } from './archive-queries.ts';

interface Asked<Listing> {
  readonly criteria: Criteria<Listing>;
  readonly range: IdRange;
  readonly window: { readonly since: EpochMs; readonly until: EpochMs };
  /** Number of newest matches to return. */
  readonly newest: number;
}

/** Sums up the matches of a window by day: a day's alerts lie between two ids. */
export async function previewOf<Listing>(
  queries: ArchiveQueries<Listing>,
  { criteria, range, window, newest }: Asked<Listing>,
): Promise<AlertPreview> {
  const days = daysOf(window);
  const ends = await Promise.all(days.slice(1).map(async (day) => queries.lastIdBefore(day)));
  const bounds = [range.after, ...ends.map((end) => Math.min(end, range.upto)), range.upto];
  const ranges = days.map((_, index) => ({ after: bounds[index] ?? 0, upto: bounds[index + 1] ?? 0 }));
  const counts = ranges.length === 0 ? [] : await queries.matchCounts(criteria, ranges);
  const total = sumOf(counts, 'count');
  const ids =
    total === 0 ? [] : await queries.ids(criteria, lastHolding(ranges, counts, newest), page(newest));
  const alerts = ids.length === 0 ? [] : await queries.load(ids);
  const resolved = sumOf(counts, 'resolved');
  const outcomes = resolved === 0 ? [] : await queries.outcomes(criteria, range);
  return {
    total,
    daily: days.map((dayStart, index) => ({ dayStart, alerts: counts[index]?.count ?? 0 })),
    resolved,
    won: sumOf(counts, 'won'),
    entrySum: rounded(sumOf(counts, 'entrySum'), 6),
    markets: marketSums(outcomes),
    newest: alerts.toSorted((a, b) => b.id - a.id),
  };
}

/** Each market counts once, by the mean of its alerts. */
function marketSums(outcomes: readonly MarketOutcome[]): AlertPreview['markets'] {
  const means = [...Map.groupBy(outcomes, ({ marketId }) => marketId).values()].map((own) => {
    const resolved = own.reduce((sum, outcome) => sum + outcome.resolved, 0);
    const meanOf = (field: 'won' | 'entrySum') =>
      own.reduce((sum, outcome) => sum + outcome[field], 0) / resolved;
    return { won: meanOf('won'), entrySum: meanOf('entrySum') };
  });
  return {
    resolved: means.length,
    won: means.reduce((sum, { won }) => sum + won, 0),
    entrySum: means.reduce((sum, { entrySum }) => sum + entrySum, 0),
  };
}

/** The beginnings of the UTC days that the window touches. */
function daysOf({ since, until }: Asked<unknown>['window']): EpochMs[] {
  const first = since - modulo(since, DAY_MS);
  const count = since > until ? 0 : Math.floor((until - first) / DAY_MS) + 1;
  return Array.from({ length: count }, (_, index) => first + index * DAY_MS);
}

/** Starts at the latest day from which on there are as many alerts as are sought. */
function lastHolding(ranges: readonly IdRange[], counts: readonly MatchCounts[], sought: number): IdRange {
  let index = ranges.length - 1;
  for (let held = counts[index]?.count ?? 0; index > 0 && held < sought; index--) {
    held += counts[index - 1]?.count ?? 0;
  }
  return { after: ranges[index]?.after ?? 0, upto: ranges.at(-1)?.upto ?? 0 };
}

const page = (limit: number) => ({ skip: 0, limit });

function sumOf(counts: readonly MatchCounts[], field: keyof MatchCounts): number {
  return counts.reduce((sum, counts) => sum + counts[field], 0);
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}
