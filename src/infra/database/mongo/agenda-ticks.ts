import { MongoJobRepository } from '@agendajs/mongo-backend';
import { Agenda, type AgendaBackend } from 'agenda';
import type { Connection } from 'mongoose';
import { FailureLog } from '../../../core/base/async/failure-log.ts';
import { repeat } from '../../../core/base/async/repeat.ts';
import { withTimeout } from '../../../core/base/async/with-timeout.ts';
import type { Logger } from '../../../core/base/logger.ts';
import type { Clock } from '../../../core/base/time/clock.ts';
import { MINUTE_MS, SECOND_MS } from '../../../core/base/time/duration.ts';
import type { TickSource } from '../../../core/operations/job-run-store.ts';
import { closeInTime } from './connect.ts';

/** How often Agenda looks for due ticks, between two ticks of a job. */
const LOOKS_PER_TICK = 6;
/** Longer than a run, so that no lock ends before its run. The next start frees the locks of a process that died. */
const LOCK_MS = 6 * MINUTE_MS;
const EXAMINE_MS = MINUTE_MS;
const COLLECTION = 'agenda_jobs';
/** Limits the time that a database without answers can delay the end of the process. */
const STOP_TIMEOUT_MS = SECOND_MS;

export interface TickOptions {
  readonly jobs: readonly string[];
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  /** Time between two ticks of a job. Default 30 s. */
  readonly tickMs?: number;
}

/** The jobs of the worker on a MongoDB, run as Agenda's handlers. */
export class AgendaTicks implements TickSource {
  readonly #connection: Connection;
  readonly #options: Required<TickOptions>;
  #agenda: Agenda | null = null;
  readonly #stop = new AbortController();
  #isClosed = false;

  /** The connection is closed with the ticks. */
  constructor(connection: Connection, options: Required<TickOptions>) {
    this.#connection = connection;
    this.#options = options;
  }

  async start(run: (job: string) => Promise<void>): Promise<void> {
    const { jobs, tickMs } = this.#options;
    const agenda = new Agenda({
      backend: await this.#openBackend(),
      processEvery: tickMs / LOOKS_PER_TICK,
      maxConcurrency: jobs.length,
      defaultLockLifetime: LOCK_MS,
    });
    this.#agenda = agenda;
    agenda.on('error', this.#warn);
    for (const name of jobs) agenda.define(name, () => this.#run(name, run));
    await agenda.start();
    // Also frees a tick that a process locked before it died.
    for (const job of jobs) await agenda.every(tickMs, job);
    void this.#keepNear();
  }

  /** A failure is Agenda's to note. */
  async #run(job: string, run: (job: string) => Promise<void>): Promise<void> {
    if (!this.#isClosed) await run(job);
  }

  async #keepNear(): Promise<void> {
    const { clock, logger } = this.#options;
    const failures = new FailureLog(logger, 'job ticks not examined; retrying');
    const options = { clock, signal: this.#stop.signal, intervalMs: EXAMINE_MS, failures };
    await repeat(() => this.#bringNear(), options);
  }

  /** Agenda stores times of the host's clock, and never a nearer one: those of a clock that was ahead are removed. */
  async #bringNear(): Promise<void> {
    const far = { $gt: new Date(Date.now() + this.#options.tickMs + EXAMINE_MS) };
    const isFar = { $or: [{ nextRunAt: far }, { lockedAt: far }] };
    await this.#connection.db
      ?.collection(COLLECTION)
      .updateMany(isFar, { $set: { nextRunAt: new Date(), lockedAt: null } });
  }

  async close(): Promise<void> {
    const { clock, logger } = this.#options;
    this.#isClosed = true;
    this.#stop.abort();
    try {
      const ended = this.#agenda?.drain({ timeout: STOP_TIMEOUT_MS, closeConnection: false });
      await withTimeout({ clock, timeoutMs: 2 * STOP_TIMEOUT_MS }, Promise.resolve(ended));
    } catch (err) {
      logger.warn({ err }, 'jobs not unlocked; the next start unlocks them');
    }
    await closeInTime(this.#connection, clock);
  }

  /** Agenda's own backend without its log, which creates indexes later, and without unhandled failures. */
  async #openBackend(): Promise<AgendaBackend> {
    const { db } = this.#connection;
    if (db === undefined) throw new Error('not connected');
    const repository = new MongoJobRepository({ mongo: db, db: { collection: COLLECTION } });
    await repository.connect();
    const unlockJob = repository.unlockJob.bind(repository);
    repository.unlockJob = (job) => unlockJob(job).catch(this.#warn);
    return {
      name: 'MongoDB',
      repository,
      ownsConnection: false,
      // Agenda leaves a failed connect unhandled as well: the repository is connected already.
      connect: async () => {},
      disconnect: async () => {},
    };
  }

  /** Failures after `close` follow from it: the next start frees what was not unlocked. */
  readonly #warn = (err: unknown): void => {
    if (!this.#isClosed) this.#options.logger.warn({ err }, 'job database unavailable; retrying');
  };
}
