import { isAlive } from '../core/operations/worker-report.ts';
import { sqliteFile } from '../infra/database/database.ts';
import { isOwnerGone } from '../infra/process/process-owner.ts';
import type { AppContext } from './app-context.ts';

/** An SQLite file is for one process. Several work, and share neither rate limits nor caches. */
export async function warnOfSecondProcess({ config, database, clock, logger }: AppContext): Promise<void> {
  const file = sqliteFile(config.databaseUrl);
  if (file === null) return;
  const worker = await database.worker.get();
  if (worker === null || !isAlive(worker, clock.now()) || isOwnerGone(worker.owner)) return;
  logger.warn(
    { file, other: worker.address },
    'another process of the service uses this SQLite file, which is for one process: end one of them, or use MongoDB',
  );
}
