import type { AlertStore } from '../alerts/alert-store.ts';
import { FairQueue } from '../async/fair-queue.ts';
import { withTimeout } from '../async/with-timeout.ts';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/database.ts';
import { DatabaseTimeout } from '../database-timeout.ts';

/** Archive reads of one caller: running ones, and running and waiting ones together. */
export const CALLER_READS = { running: 2, total: 10 };
/** Waiting archive reads of all callers. */
const WAITING_MAX = 1_000;
/** Time limit of a read, waiting included: slightly above that of one database call (4 s). */
const ANSWER_TIMEOUT_MS = 4_500;

/** Runs an archive read in turn. Rejects like `FairQueue.run`, and with `DatabaseTimeout` after 4.5 s; a waiting read is dropped then. */
export type ScheduleRead = <T>(read: () => Promise<T>) => Promise<T>;

/** The long reads of the alert store. */
type ArchiveReads = Pick<AlertStore, 'search' | 'hotMarkets' | 'stats' | 'preview'>;

/**
 * Schedules all archive reads of this process in round robin over the callers, so that no caller can block it. A running read keeps
 * its slot until the database answers, even if its caller has disconnected.
 */
export class ArchiveScheduler {
  readonly #queue: FairQueue;
  readonly #clock: Pick<Clock, 'sleep'>;

  constructor({ archiveConcurrency }: Pick<Database, 'archiveConcurrency'>, clock: Pick<Clock, 'sleep'>) {
    this.#clock = clock;
    this.#queue = new FairQueue({
      running: archiveConcurrency,
      runningPerCaller: CALLER_READS.running,
      tasksPerCaller: CALLER_READS.total,
      waiting: WAITING_MAX,
    });
  }

  /** For a caller of the service, such as `key:ID`. The signal drops reads that have not started. */
  forCaller(caller: string, signal?: AbortSignal): ScheduleRead {
    const limit = { clock: this.#clock, timeoutMs: ANSWER_TIMEOUT_MS, timeoutError, signal };
    return (read) => withTimeout(limit, (dropped) => this.#queue.run(read, { caller, signal: dropped }));
  }

  /** For the service itself (jobs, the operator): one caller, never refused. */
  readonly own: ScheduleRead = (read) => this.#queue.run(read, { caller: 'service', isRefusable: false });

  /** For refreshing kept answers in the background: one caller, never refused. */
  readonly refresh: ScheduleRead = (read) => this.#queue.run(read, { caller: 'refresh', isRefusable: false });
}

/** The alert store with its archive reads scheduled. */
export function scheduledAlerts<Store extends ArchiveReads>(alerts: Store, schedule: ScheduleRead): Store {
  return {
    ...alerts,
    search: (...query) => schedule(() => alerts.search(...query)),
    hotMarkets: (...query) => schedule(() => alerts.hotMarkets(...query)),
    stats: (...query) => schedule(() => alerts.stats(...query)),
    preview: (...query) => schedule(() => alerts.preview(...query)),
  } satisfies ArchiveReads as Store;
}

function timeoutError(): Error {
  return new DatabaseTimeout(`no answer from the archive within ${ANSWER_TIMEOUT_MS} ms`);
}
