import { FairQueue, type FairQueueOptions } from '../../base/async/fair-queue.ts';
import { withTimeout } from '../../base/async/with-timeout.ts';
import { DatabaseTimeout } from '../../base/database-errors.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { AlertStore } from '../alert-store.ts';

/** Reads of one caller: running, and running plus waiting; separately for searches and figures. */
export const CALLER_READS = { running: 2, total: 10 };
const WAITING_MAX = 1_000;
/** Figures that are computed at the same time: they are short, and kept for all callers. */
const FIGURES_RUNNING = 2;
/** Pages that are made at the same time, over all addresses. */
const PAGES_RUNNING = 3;
/** Time limit of a read, including waiting: slightly above the limit of one database call (4 s). */
const ANSWER_TIMEOUT_MS = 4_500;
/** The same while the archive is being opened: less than a proxy waits by default (60 s). */
const OPENING_TIMEOUT_MS = 50_000;

/**
 * Runs an archive read in turn. Rejects like `FairQueue.run`, and with `DatabaseTimeout` after 4.5 s, or 50 s while the archive is being
 * opened; a waiting read is dropped then.
 */
export type ScheduleRead = <T>(read: () => Promise<T>) => Promise<T>;

type ArchiveReads = Pick<AlertStore, 'search' | 'summaries' | 'hotMarkets' | 'stats' | 'preview'>;

/** A caller of the service: a key, a customer in chat, or an address without a key. */
export interface ArchiveCaller {
  /** Unique, such as `key:ID`. */
  readonly name: string;
  /** Without a key: all such callers together get the share of one key. */
  readonly isPublic?: boolean;
  /** Drops reads that have not started. */
  readonly signal?: AbortSignal;
}

/** Schedules a caller's reads: searches, previews and the log, and figures, which never wait for those. */
export interface CallerSchedule {
  readonly searches: ScheduleRead;
  readonly figures: ScheduleRead;
  /** For a whole public page or feed: everything read for it is scheduled too. */
  readonly pages: ScheduleRead;
}

/**
 * Schedules all archive reads of this process in round robin over the callers, so that no caller can block it. A running read keeps
 * its slot until the database answers, even if its caller has disconnected.
 */
export class ArchiveScheduler {
  readonly #searches: ReadQueue;
  readonly #figures = new ReadQueue(FIGURES_RUNNING);
  readonly #pages = new FairQueue({
    running: PAGES_RUNNING,
    tasksPerCaller: CALLER_READS.total,
    waiting: WAITING_MAX,
  });
  readonly #clock: Pick<Clock, 'sleep'>;
  #timeoutMs = ANSWER_TIMEOUT_MS;

  constructor({ archiveConcurrency }: { readonly archiveConcurrency: number }, clock: Pick<Clock, 'sleep'>) {
    this.#clock = clock;
    this.#searches = new ReadQueue(archiveConcurrency);
  }

  forCaller(caller: ArchiveCaller): CallerSchedule {
    const scheduleOn =
      (queue: ReadQueue): ScheduleRead =>
      (read) =>
        this.#inTime(caller.signal, (signal) => queue.run(read, { ...caller, signal }));
    return {
      searches: scheduleOn(this.#searches),
      figures: scheduleOn(this.#figures),
      pages: (make) =>
        this.#inTime(caller.signal, (signal) => this.#pages.run(make, { caller: caller.name, signal })),
    };
  }

  /** Runs the read that loads what searches need. Reads that begin before its end wait for it instead of being refused. */
  async open(load: () => Promise<unknown>): Promise<void> {
    this.#timeoutMs = OPENING_TIMEOUT_MS;
    try {
      await this.own(load);
    } finally {
      this.#timeoutMs = ANSWER_TIMEOUT_MS;
    }
  }

  /** For the service itself (jobs, the operator): one caller that is never refused. */
  readonly own: ScheduleRead = (read) => this.#searches.runOwn(read, 'service');

  /** For refreshing cached answers in the background: one caller that is never refused. */
  readonly refresh: Pick<CallerSchedule, 'searches' | 'figures'> = {
    searches: (read) => this.#searches.runOwn(read, 'refresh'),
    figures: (read) => this.#figures.runOwn(read, 'refresh'),
  };

  #inTime<T>(signal: AbortSignal | undefined, read: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const timeoutMs = this.#timeoutMs;
    const timeoutError = () => new DatabaseTimeout(`no answer from the archive within ${timeoutMs} ms`);
    return withTimeout({ clock: this.#clock, timeoutMs, timeoutError, signal }, read);
  }
}

/** Reads of one kind, in round robin over the callers with a key, the service, and all others as one. */
class ReadQueue {
  readonly #queue: FairQueue;
  /** In round robin among themselves; in the other queue they count as one caller. */
  readonly #publicReads = new FairQueue({
    running: CALLER_READS.running,
    tasksPerCaller: CALLER_READS.total,
    waiting: WAITING_MAX,
  });

  constructor(running: number) {
    this.#queue = new FairQueue({
      running,
      runningPerCaller: CALLER_READS.running,
      tasksPerCaller: CALLER_READS.total,
      waiting: WAITING_MAX,
    });
  }

  run<T>(read: () => Promise<T>, { name, isPublic, signal }: ArchiveCaller): Promise<T> {
    const options: FairQueueOptions = { caller: name, ...(signal !== undefined && { signal }) };
    if (isPublic !== true) return this.#queue.run(read, options);
    const asOne = { ...options, caller: 'public', isRefusable: false };
    return this.#publicReads.run(() => this.#queue.run(read, asOne), options);
  }

  runOwn<T>(read: () => Promise<T>, caller: string): Promise<T> {
    return this.#queue.run(read, { caller, isRefusable: false });
  }
}

/** The alert store with its archive reads scheduled. */
export function scheduledAlerts<Store extends ArchiveReads>(alerts: Store, schedule: ScheduleRead): Store {
  return {
    ...alerts,
    search: (...query) => schedule(() => alerts.search(...query)),
    summaries: (...query) => schedule(() => alerts.summaries(...query)),
    hotMarkets: (...query) => schedule(() => alerts.hotMarkets(...query)),
    stats: (...query) => schedule(() => alerts.stats(...query)),
    preview: (...query) => schedule(() => alerts.preview(...query)),
  } satisfies ArchiveReads as Store;
}
