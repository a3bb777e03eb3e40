import { repeat } from './base/async/repeat.ts';
import type { Logger } from './base/logger.ts';
import type { Clock } from './base/time/clock.ts';
import { HOUR_MS } from './base/time/duration.ts';

/** What a process has done since its start, as its log reports it. */
export interface Activity {
  /** Trades that the detector judged, and alerts that entered the ledger. */
  readonly trades: number;
  readonly alerts: number;
  /** Sockets of the stream that are open now. */
  readonly clients: number;
  /** Webhook deliveries that were acknowledged, and those that were not. */
  readonly delivered: number;
  readonly undelivered: number;
}

const COUNTS = {
  all: ['trades', 'alerts', 'clients', 'delivered', 'undelivered'],
  api: ['clients'],
} as const;

interface ActivityLogDeps {
  readonly activity: () => Promise<Activity>;
  readonly roles: keyof typeof COUNTS;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly logger: Pick<Logger, 'info'>;
}

/**
 * Logs once an hour, first an hour after the start, what the roles of this process have done since the last time. Runs until the
 * signal aborts.
 */
export async function logActivity(
  { activity, roles, clock, logger }: ActivityLogDeps,
  signal: AbortSignal,
): Promise<void> {
  let before: Activity | null = null;
  const log = async () => {
    const now = await activity();
    const sinceOf = (name: keyof Activity) => (name === 'clients' ? 0 : (before?.[name] ?? 0));
    const shown = COUNTS[roles].map((name) => [name, now[name] - sinceOf(name)]);
    before = now;
    logger.info({ roles, ...Object.fromEntries(shown) }, 'running; counts of the last hour');
  };
  await clock.sleep(HOUR_MS, signal);
  await repeat(log, { clock, signal, intervalMs: HOUR_MS });
}
