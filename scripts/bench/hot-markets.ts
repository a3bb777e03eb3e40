import { createArrivals } from './arrivals.ts';
import type { Effort } from './compare.ts';
import { comparisonFigures } from './comparison-figures.ts';
import { openSqliteFile } from './databases.ts';
import { type Figure, note, whole } from './figure.ts';
import { peerNote, startRivals } from './rivals.ts';
import { sampleMoment } from './sample-alerts.ts';

const ALERTS = 1_000_000;
const PERIODS = ['24h', '30d'];
const EFFORT: Effort = { connections: 20, warmUpSeconds: 2, rounds: 5, roundSeconds: 2 };

/** The public leaderboards over a large archive during writes. */
export async function benchHotMarkets(): Promise<readonly Figure[]> {
  const database = await openSqliteFile();
  try {
    // The last alert is of this moment, so that every period has its share of them.
    await database.seed({ after: 0, upto: ALERTS, shiftMs: Date.now() - sampleMoment(ALERTS) });
    const rivals = await startRivals(database);
    try {
      const arrivals = createArrivals(database, ALERTS);
      const figures: Figure[] = [];
      for (const period of PERIODS) {
        const path = `/api/v1/hot-markets?period=${period}`;
        const comparison = await rivals.contest(path, EFFORT, arrivals.start);
        figures.push(...comparisonFigures(comparison, { effort: EFFORT, prefix: `${period}: ` }));
      }
      const { count, seconds } = arrivals.told();
      const arrived = note(
        'alerts that arrived meanwhile',
        `${whole(count)}, ${(count / seconds).toFixed(1)} a second`,
      );
      return [...figures, arrived, ...peerNote(rivals)];
    } finally {
      await rivals.stop();
    }
  } finally {
    await database.drop();
  }
}
