import type { Database } from '../core/database.ts';
import { isAlive } from '../core/operations/worker-report.ts';
import { isOwnerGone } from '../infra/process/process-owner.ts';
import { systemClock } from '../infra/process/system-clock.ts';

/** Where the service that runs on this database is reached, as it said itself; null when none runs. */
export async function runningAddress({ worker }: Pick<Database, 'worker'>): Promise<string | null> {
  const report = await worker.get();
  if (report === null || !isAlive(report, systemClock.now()) || isOwnerGone(report.owner)) return null;
  return report.address;
}
