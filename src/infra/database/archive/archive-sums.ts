import type { AlertPreview, MarketMatches } from '../../../core/alerts/alert-store.ts';
import { rounded } from '../../../core/base/rounded.ts';
import { DAY_MS, type EpochMs } from '../../../core/base/time/duration.ts';
import { type Facet, fromMicros } from './alert-columns.ts';
import type { ArchiveIndex } from './archive-index.ts';
import type { IdRange } from './archive-source.ts';
import type { Matcher, Visit } from './matcher.ts';
import { TimeSlices } from './time-slices.ts';

/** Visits the matches of a range in slices, newest first. */
export async function visitAll(
  { columns }: ArchiveIndex,
  range: IdRange,
  matcher: Matcher,
  visit: Visit,
): Promise<void> {
  const slices = new TimeSlices();
  for (const part of columns.parts(range)) {
    matcher.forEach(part, visit);
    await slices.pause();
  }
}

/** The matches of a range, summed up. */
export async function dayStats(index: ArchiveIndex, range: IdRange, matcher: Matcher) {
  const { facets } = index.columns;
  const sums = { scoreSum: 0, clusters: 0, resolved: 0, won: 0 };
  await visitAll(index, range, matcher, (block, at) => {
    const { type, won } = facets[block.facets[at] as number] as Facet;
    sums.scoreSum += block.scores[at] as number;
    if (type === 'cluster') sums.clusters += 1;
    if (won !== null) sums.resolved += 1;
    if (won === true) sums.won += 1;
  });
  return sums;
}

interface PreviewOptions {
  readonly matcher: Matcher;
  readonly days: readonly EpochMs[];
  /** The last ids of all days but the last, ascending. */
  readonly dayEnds: readonly number[];
  readonly newest: number;
}

/** A preview of the matches of a range, with the ids of its newest alerts, newest first. */
export async function previewOf(
  index: ArchiveIndex,
  range: IdRange,
  { matcher, days, dayEnds, newest }: PreviewOptions,
): Promise<Omit<AlertPreview, 'newest'> & { readonly newest: readonly number[] }> {
  const { facets } = index.columns;
  const daily = days.map((dayStart) => ({ dayStart, alerts: 0 }));
  const markets = new Map<string, { resolved: number; won: number; micros: number }>();
  const ids: number[] = [];
  let [day, total] = [dayEnds.length, 0];
  await visitAll(index, range, matcher, (block, at, id) => {
    while (day > 0 && id <= (dayEnds[day - 1] as number)) day -= 1;
    (daily[day] as (typeof daily)[0]).alerts += 1;
    total += 1;
    if (ids.length < newest) ids.push(id);
    const { won } = facets[block.facets[at] as number] as Facet;
    if (won === null) return;
    const marketId = index.listings.marketOf(block.listings[at] as number);
    const market = markets.get(marketId) ?? { resolved: 0, won: 0, micros: 0 };
    if (market.resolved === 0) markets.set(marketId, market);
    market.resolved += 1;
    market.won += Number(won);
    market.micros += matcher.entryMicrosOf(block, at);
  });
  const settled = Array.from(markets.values(), ({ micros, ...market }) => ({
    ...market,
    entrySum: fromMicros(micros),
  }));
  const sums = sumOf(settled);
  return {
    total,
    daily,
    ...sums,
    entrySum: rounded(sums.entrySum, 6),
    markets: { ...sumOf(settled.map(meansOf)), resolved: settled.length },
    newest: ids,
  };
}

/** The matches of a range by market, of the markets named, in any order. */
export async function matchesIn(
  index: ArchiveIndex,
  range: IdRange,
  { matcher, marketIds }: { readonly matcher: Matcher; readonly marketIds: readonly string[] },
): Promise<readonly MarketMatches[]> {
  const { columns, listings } = index;
  const named = new Set(marketIds);
  const marketOf = Array.from({ length: listings.length }, (_, number) => {
    const marketId = listings.marketOf(number);
    return named.has(marketId) ? marketId : null;
  });
  const found = new Map<
    string,
    Omit<MarketMatches, 'usdc'> & { cents: number; total: number; won: number }
  >();
  await visitAll(index, range, matcher, (block, at, id) => {
    const marketId = marketOf[block.listings[at] as number] ?? null;
    if (marketId === null) return;
    const market = found.get(marketId) ?? { marketId, total: 0, cents: 0, won: 0, newest: id };
    if (market.total === 0) found.set(marketId, market);
    market.total += 1;
    market.cents += Math.round((matcher.usdcOf(block)[at] as number) * 100);
    market.won += Number(columns.facets[block.facets[at] as number]?.won === true);
  });
  return Array.from(found.values(), ({ cents, ...market }) => ({ ...market, usdc: cents / 100 }));
}

/** The beginnings of the UTC days that the window touches. */
export function daysOf({ since, until }: { readonly since: EpochMs; readonly until: EpochMs }): EpochMs[] {
  const first = Math.floor(since / DAY_MS) * DAY_MS;
  const count = since > until ? 0 : Math.floor((until - first) / DAY_MS) + 1;
  return Array.from({ length: count }, (_, index) => first + index * DAY_MS);
}

/** Resolved matches; entries in USDC a share, exact to 6 decimals. */
interface SettledSums {
  readonly resolved: number;
  readonly won: number;
  readonly entrySum: number;
}

/** Each market counts once, by the mean of its alerts. */
function meansOf({ resolved, won, entrySum }: SettledSums): SettledSums {
  return { resolved: 1, won: won / resolved, entrySum: entrySum / resolved };
}

function sumOf(all: readonly SettledSums[]): SettledSums {
  const sum = (field: keyof SettledSums) => all.reduce((total, each) => total + each[field], 0);
  return { resolved: sum('resolved'), won: sum('won'), entrySum: sum('entrySum') };
}
