import { TIER_POLICIES } from '../../src/core/accounts/tier.ts';
import type { Effort } from './compare.ts';
import { comparisonFigures } from './comparison-figures.ts';
import { openSqliteFile } from './databases.ts';
import type { Figure } from './figure.ts';
import { startRivals } from './rivals.ts';

const PATH = '/api/v1/alerts/latest';
const TIER = 'free';
const LIMIT = TIER_POLICIES[TIER].requestsPerMinute ?? 0;
const EFFORT: Effort = {
  connections: 20,
  warmUpSeconds: 2,
  rounds: 5,
  roundSeconds: 1.5,
  status: 429,
  // A minute may end within a round: the next one lets as many through.
  exceptions: LIMIT,
};

/** A key that has used up its minute and continues to send requests. */
export async function benchLimited(): Promise<readonly Figure[]> {
  await using database = await openSqliteFile();
  await database.seed({ after: 0, upto: 100 });
  await using rivals = await startRivals(database, { tier: TIER });
  await rivals.ask(PATH, LIMIT);
  return [...comparisonFigures(await rivals.compare(PATH, EFFORT)), ...rivals.peerNote];
}
