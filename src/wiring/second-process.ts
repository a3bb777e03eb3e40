import { isAlive } from '../core/operations/heartbeat.ts';
import { sqliteFile } from '../infra/database/database.ts';
import { isOwnerGone } from '../infra/process/process-owner.ts';
import type { AppContext } from './app-context.ts';

/** An SQLite file is for one process. Several work, and share neither rate limits nor caches. */
export async function warnOfSecondProcess({ config, database, clock, logger }: AppContext): Promise<void> {
  const file = sqliteFile(config.databaseUrl);
  if (file === null) return;
  const other = (await database.heartbeats.list()).find(
    (beat) => isAlive(beat, clock.now()) && !isOwnerGone(beat.owner),
  );
  if (other === undefined) return;
  logger.warn(
    { file, other: other.address ?? other.owner },
    'another process of the service uses this SQLite file, which is for one process: end one of them, or use MongoDB',
  );
}
