import { Arrivals } from './arrivals.ts';
import type { Effort } from './compare.ts';
import { comparisonFigures } from './comparison-figures.ts';
import { openSqliteFile } from './databases.ts';
import { type Figure, figure, whole } from './figure.ts';
import { startRivals } from './rivals.ts';
import { sampleMoment } from './sample-alerts.ts';

const ALERTS = 1_000_000;
const PERIODS = ['24h', '30d'];
const EFFORT: Effort = { connections: 20, warmUpSeconds: 2, rounds: 5, roundSeconds: 2 };

/** The public leaderboards over a large archive during writes. */
export async function benchHotMarkets(): Promise<readonly Figure[]> {
  await using database = await openSqliteFile();
  // The last alert is of this moment, so that every period has its share of them.
  await database.seed({ after: 0, upto: ALERTS, shiftMs: Date.now() - sampleMoment(ALERTS) });
  await using rivals = await startRivals(database);
  const arrivals = new Arrivals(database.url, ALERTS);
  const figures: Figure[] = [];
  for (const period of PERIODS) {
    const path = `/api/v1/hot-markets?period=${period}`;
    const comparison = await rivals.compare(path, EFFORT, arrivals.start);
    figures.push(...comparisonFigures(comparison, { prefix: `${period}: ` }));
  }
  const { count, seconds } = arrivals;
  return [
    ...figures,
    figure('alerts that arrived meanwhile', `${whole(count)}, ${(count / seconds).toFixed(1)} a second`),
    ...rivals.peerNote,
  ];
}
