import type { Comparison, Effort } from './compare.ts';
import { comparisonRow } from './comparison-figures.ts';
import type { BenchDatabase } from './databases.ts';
import { type Figure, figure, whole } from './figure.ts';
import { progress } from './progress.ts';
import { startRivals } from './rivals.ts';
import { loadedSearches, type Search } from './search-mix.ts';

const EFFORT: Effort = { connections: 10, warmUpSeconds: 0.8, rounds: 5, roundSeconds: 0.8 };

/** Results of searches under load in an archive of one size. */
export interface SearchLoad {
  readonly alerts: number;
  readonly results: readonly { readonly search: Search; readonly comparison: Comparison }[];
  readonly notes: readonly Figure[];
}

/** Some searches, each alone over many connections, against bare Fastify and FastAPI. */
export async function loadSearches(database: BenchDatabase, alerts: number): Promise<SearchLoad> {
  await using rivals = await startRivals(database);
  const results: { search: Search; comparison: Comparison }[] = [];
  for (const search of loadedSearches(alerts)) {
    progress(`${whole(alerts)} alerts under load: ${search.name}`);
    results.push({ search, comparison: await rivals.compare(`/api/v1/alerts?${search.query}`, EFFORT) });
  }
  return { alerts, results, notes: rivals.peerNote };
}

export function searchLoadFigures(small: SearchLoad, large: SearchLoad): readonly Figure[] {
  const rows = ({ alerts, results }: SearchLoad) =>
    results.map(({ search, comparison }) =>
      comparisonRow(`under load, ${whole(alerts)} alerts, ${search.name}`, comparison),
    );
  const growth = large.results.map(({ search, comparison }, index) => {
    const before = small.results[index]?.comparison.service.perSecond ?? Number.NaN;
    return `${search.name}: ${(comparison.service.perSecond / before).toFixed(2)}`;
  });
  return [
    ...rows(small),
    ...rows(large),
    figure(
      `under load, requests/s at ${whole(large.alerts)} alerts as a share of those at ${whole(small.alerts)}`,
      growth.join('; '),
    ),
    ...large.notes,
  ];
}
