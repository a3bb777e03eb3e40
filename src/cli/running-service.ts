import type { Database } from '../core/database.ts';
import { isAlive } from '../core/operations/heartbeat.ts';
import { isOwnerGone } from '../infra/process/process-owner.ts';
import { systemClock } from '../infra/process/system-clock.ts';

/** Where the service that runs on this database is reached, as it said itself; null when none runs. */
export async function runningAddress({ heartbeats }: Pick<Database, 'heartbeats'>): Promise<string | null> {
  const now = systemClock.now();
  const running = (await heartbeats.list()).filter((beat) => isAlive(beat, now) && !isOwnerGone(beat.owner));
  return running.find(({ address }) => address !== undefined)?.address ?? null;
}
