import { FairQueue } from './limits/fair-queue.ts';
import type { AlertStore } from './ports/alert-store.ts';
import type { Database } from './ports/database.ts';

/** Archive reads of one caller: so many run at the same time, and so many run and wait together. */
export const CALLER_READS = { running: 2, total: 10 };
/** Archive reads of all callers that wait. */
const WAITING_MAX = 1_000;

/** Runs an archive read when its turn comes. Rejects like `FairQueue.run`. */
export type Schedule = <T>(read: () => Promise<T>) => Promise<T>;

/** The long reads of the alert store. */
type ArchiveReads = Pick<AlertStore, 'search' | 'hotMarkets' | 'stats' | 'preview'>;

/**
 * Schedules all reads of the archive in this process, in round robin over the callers, so that no caller can hold it.
 * A read that runs keeps its slot until the database has answered, also when its caller has gone.
 */
export class ArchiveScheduler {
  readonly #queue: FairQueue;

  constructor({ archiveConcurrency }: Pick<Database, 'archiveConcurrency'>) {
    this.#queue = new FairQueue({
      running: archiveConcurrency,
      runningPerCaller: CALLER_READS.running,
      tasksPerCaller: CALLER_READS.total,
      waiting: WAITING_MAX,
    });
  }

  /** For a caller of the service, such as `key:ID`. The signal drops reads that have not started. */
  forCaller(caller: string, signal?: AbortSignal): Schedule {
    return (read) => this.#queue.run(read, { caller, ...(signal !== undefined && { signal }) });
  }

  /** For the service itself (jobs, the operator): one caller, never refused. */
  readonly own: Schedule = (read) => this.#queue.run(read, { caller: 'service', isRefusable: false });

  /** For refreshing kept answers in the background: one caller, never refused. */
  readonly refresh: Schedule = (read) => this.#queue.run(read, { caller: 'refresh', isRefusable: false });
}

/** The alert store with its archive reads scheduled. */
export function scheduledAlerts<Store extends ArchiveReads>(alerts: Store, schedule: Schedule): Store {
  return {
    ...alerts,
    search: (...query) => schedule(() => alerts.search(...query)),
    hotMarkets: (...query) => schedule(() => alerts.hotMarkets(...query)),
    stats: (...query) => schedule(() => alerts.stats(...query)),
    preview: (...query) => schedule(() => alerts.preview(...query)),
  } satisfies ArchiveReads as Store;
}
