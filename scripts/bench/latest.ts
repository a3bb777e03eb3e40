import type { Effort } from './compare.ts';
import { comparisonFigures } from './comparison-figures.ts';
import { openSqliteFile } from './databases.ts';
import type { Figure } from './figure.ts';
import { peerNote, startRivals } from './rivals.ts';

const PATH = '/api/v1/alerts/latest';
const ALERTS = 10_000;
const AIM = 0.85;
const EFFORT: Effort = { connections: 20, warmUpSeconds: 4, rounds: 7, roundSeconds: 2 };

/** The newest alerts with a key. */
export async function benchLatest(): Promise<readonly Figure[]> {
  const database = await openSqliteFile();
  await database.seed({ after: 0, upto: ALERTS });
  const rivals = await startRivals(database, { readyBytesOf: PATH });
  try {
    const comparison = await rivals.contest(PATH, EFFORT);
    return [...comparisonFigures(comparison, { effort: EFFORT, aim: AIM }), ...peerNote(rivals)];
  } finally {
    await rivals.stop();
    await database.drop();
  }
}
