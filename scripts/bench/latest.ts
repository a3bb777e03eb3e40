import type { Effort } from './compare.ts';
import { comparisonFigures } from './comparison-figures.ts';
import { openSqliteFile } from './databases.ts';
import type { Figure } from './figure.ts';
import { startRivals } from './rivals.ts';

const PATH = '/api/v1/alerts/latest';
const ALERTS = 10_000;
const AIM = 0.85;
const EFFORT: Effort = { connections: 20, warmUpSeconds: 4, rounds: 7, roundSeconds: 2 };

/** The newest alerts with a key. */
export async function benchLatest(): Promise<readonly Figure[]> {
  await using database = await openSqliteFile();
  await database.seed({ after: 0, upto: ALERTS });
  await using rivals = await startRivals(database, { readyBytesOf: PATH });
  return [...comparisonFigures(await rivals.compare(PATH, EFFORT), { aim: AIM }), ...rivals.peerNote];
}
