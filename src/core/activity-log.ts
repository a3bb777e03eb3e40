import type { Activity } from './activity-count.ts';
import { repeat } from './base/async/repeat.ts';
import type { Logger } from './base/logger.ts';
import type { Clock } from './base/time/clock.ts';
import { HOUR_MS } from './base/time/duration.ts';

/** The counts of each role that has some. */
const COUNTS: Readonly<Record<string, readonly (keyof Activity)[]>> = {
  ingest: ['trades', 'alerts'],
  api: ['clients'],
  deliver: ['delivered', 'undelivered'],
};

interface ActivityLogDeps {
  readonly activity: { take(): Activity };
  readonly roles: readonly string[];
  readonly clock: Pick<Clock, 'sleep'>;
  readonly logger: Pick<Logger, 'info'>;
}

/** Logs once an hour, the first time an hour after the start, what the roles of this process did since. Runs until the signal aborts. */
export async function logActivity(
  { activity, roles, clock, logger }: ActivityLogDeps,
  signal: AbortSignal,
): Promise<void> {
  const names = roles.flatMap((role) => COUNTS[role] ?? []);
  const log = () => {
    const counts = activity.take();
    const shown = names.map((name) => [name, counts[name]]);
    logger.info({ roles, ...Object.fromEntries(shown) }, 'running; counts of the last hour');
  };
  await clock.sleep(HOUR_MS, signal);
  await repeat(log, { clock, signal, intervalMs: HOUR_MS });
}
