import type { Alert } from '../../../core/alerts/alert.ts';
import type { AlertPreview } from '../../../core/alerts/alert-store.ts';
import { rounded } from '../../../core/base/rounded.ts';
import { DAY_MS, type EpochMs } from '../../../core/base/time/duration.ts';
import { type Facet, fromMicros } from './alert-columns.ts';
import type { ArchiveIndex } from './archive-index.ts';
import type { IdRange } from './archive-source.ts';
import type { Matcher, Visit } from './matcher.ts';
import type { MarketGroup } from './rank-markets.ts';
import { TimeSlices } from './time-slices.ts';

const CENTS = 100;

type Index = Pick<ArchiveIndex, 'columns' | 'listings'>;

/** Visits the matches of a range in slices, newest first. */
async function visitAll({ columns }: Index, range: IdRange, matcher: Matcher, visit: Visit): Promise<void> {
  const slices = new TimeSlices();
  for (const part of columns.parts(range)) {
    matcher.forEach(part, visit);
    await slices.pause();
  }
}

/** The matches of a range by listing. Sums of amounts are exact to the cent. */
export async function marketGroups(index: Index, range: IdRange, matcher: Matcher): Promise<MarketGroup[]> {
  const groups: ({ alertCount: number; scoreSum: number; cents: number; latestId: number } | undefined)[] =
    new Array(index.listings.length).fill(undefined);
  await visitAll(index, range, matcher, (block, at, id) => {
    const listing = block.listings[at] as number;
    const group = groups[listing] ?? { alertCount: 0, scoreSum: 0, cents: 0, latestId: id };
    groups[listing] = group;
    group.alertCount += 1;
    group.scoreSum += block.scores[at] as number;
    group.cents += Math.round((block.usdc[at] as number) * CENTS);
  });
  return groups.flatMap((group, listing) => {
    if (group === undefined) return [];
    const { cents, ...sums } = group;
    return [{ ...sums, marketId: index.listings.marketOf(listing), usdcSum: cents / CENTS }];
  });
}

/** The matches of a range, summed up. */
export async function dayStats(index: Index, range: IdRange, matcher: Matcher) {
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

/** Resolved matches; entries in USDC a share, exact to 6 decimals. */
interface SettledSums {
  readonly resolved: number;
  readonly won: number;
  readonly entrySum: number;
}

interface PreviewSums {
  /** Matches by day. */
  readonly daily: readonly number[];
  readonly byMarket: ReadonlyMap<string, SettledSums>;
  /** Ids, newest first. */
  readonly newest: readonly number[];
}

interface PreviewOptions {
  readonly matcher: Matcher;
  /** The last ids of all days but the last, ascending. */
  readonly dayEnds: readonly number[];
  readonly newest: number;
}

/** The matches of a range by day and by market. */
export async function previewSums(
  index: Index,
  range: IdRange,
  { matcher, dayEnds, newest }: PreviewOptions,
): Promise<PreviewSums> {
  const { facets } = index.columns;
  const daily = new Array<number>(dayEnds.length + 1).fill(0);
  const markets = new Map<string, { resolved: number; won: number; micros: number }>();
  const ids: number[] = [];
  let day = dayEnds.length;
  await visitAll(index, range, matcher, (block, at, id) => {
    while (day > 0 && id <= (dayEnds[day - 1] as number)) day -= 1;
    daily[day] = (daily[day] as number) + 1;
    if (ids.length < newest) ids.push(id);
    const { won } = facets[block.facets[at] as number] as Facet;
    if (won === null) return;
    const marketId = index.listings.marketOf(block.listings[at] as number);
    const market = markets.get(marketId) ?? { resolved: 0, won: 0, micros: 0 };
    if (market.resolved === 0) markets.set(marketId, market);
    market.resolved += 1;
    market.won += Number(won);
    market.micros += block.entries[at] as number;
  });
  const sums = Array.from(markets, ([marketId, { micros, ...market }]) => {
    return [marketId, { ...market, entrySum: fromMicros(micros) }] as const;
  });
  return { daily, byMarket: new Map(sums), newest: ids };
}

/** A preview from the sums of its window. `newest`: its newest alerts, newest first. */
export function previewOf(
  { daily, byMarket }: PreviewSums,
  days: readonly EpochMs[],
  newest: readonly Alert[],
): AlertPreview {
  const markets = [...byMarket.values()];
  const sums = sumOf(markets);
  return {
    total: daily.reduce((sum, count) => sum + count, 0),
    daily: days.map((dayStart, index) => ({ dayStart, alerts: daily[index] ?? 0 })),
    ...sums,
    entrySum: rounded(sums.entrySum, 6),
    markets: { ...sumOf(markets.map(meansOf)), resolved: markets.length },
    newest,
  };
}

/** The beginnings of the UTC days that the window touches. */
export function daysOf({ since, until }: { readonly since: EpochMs; readonly until: EpochMs }): EpochMs[] {
  const first = since - modulo(since, DAY_MS);
  const count = since > until ? 0 : Math.floor((until - first) / DAY_MS) + 1;
  return Array.from({ length: count }, (_, index) => first + index * DAY_MS);
}

/** Each market counts once, by the mean of its alerts. */
function meansOf({ resolved, won, entrySum }: SettledSums): SettledSums {
  return { resolved: 1, won: won / resolved, entrySum: entrySum / resolved };
}

function sumOf(all: readonly SettledSums[]): SettledSums {
  const sum = (field: keyof SettledSums) => all.reduce((total, each) => total + each[field], 0);
  return { resolved: sum('resolved'), won: sum('won'), entrySum: sum('entrySum') };
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}
