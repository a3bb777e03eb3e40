import { FailureLog } from '../core/base/async/failure-log.ts';
import { allOrNone, repeat, untilAborted } from '../core/base/async/repeat.ts';
import { type HeldLease, holdLease } from '../core/base/lease/hold-lease.ts';
import { SECOND_MS } from '../core/base/time/duration.ts';
import { UserError } from '../core/base/user-error.ts';
import type { DeliveryEngine } from '../core/delivery/webhooks/delivery-engine.ts';
import type { Ingest } from '../core/ingest/ingest.ts';
import { reportWorker, type WorkerReport } from '../core/operations/worker-report.ts';
import { isOwnerGone } from '../infra/process/process-owner.ts';
import type { AppContext } from './app-context.ts';
import type { Bots } from './bots.ts';
import { wireDatabaseAlarm } from './direct-alarms.ts';
import { makeRecords, type PublishRecord } from './record.ts';
import { type Outgoing, wireDeliver } from './webhooks.ts';

const RETRY_MS = SECOND_MS;

interface WorkerParts {
  /** Null without a source. */
  readonly ingest: Ingest | null;
  readonly bots: Bots;
  readonly outgoing: Outgoing;
  readonly publishRecord: PublishRecord;
  /** The checks of `/readyz`. */
  readonly checks: () => Promise<WorkerReport['checks']>;
}

interface Start {
  /** Where this process serves the API. */
  readonly address: string;
  /** Id of the last alert: the webhooks of a new database begin after it. */
  readonly lastAlertId: number;
}

/**
 * All that writes: the ingest, webhooks, the bots and what they send, jobs. Of all processes on a database only the one with
 * the lease does it; another stands by.
 */
export class Worker {
  readonly ingest: Ingest | null;
  readonly bots: Bots;
  readonly #context: AppContext;
  readonly #parts: WorkerParts;
  #isStandby = false;
  #deliver: DeliveryEngine | null = null;

  constructor(context: AppContext, parts: WorkerParts) {
    this.#context = context;
    this.#parts = parts;
    this.ingest = parts.ingest;
    this.bots = parts.bots;
  }

  /** Another process has the lease. */
  get isStandby(): boolean {
    return this.#isStandby;
  }

  /** Null while none run here. */
  get deliver(): DeliveryEngine | null {
    return this.#deliver;
  }

  /** Works whenever the lease is free, until the signal aborts. Throws what only the operator can resolve (`UserError`). */
  async run(signal: AbortSignal, start: Start): Promise<void> {
    const { clock, logger, database, leaseTime, owner } = this.#context;
    const deps = { store: database.lease, clock, leaseTime, logger, owner, isGone: isOwnerGone };
    let isHolder = false;
    // Not awaited: a platform that does not answer must not delay the shutdown.
    if (this.bots.isConfigured) void wireDatabaseAlarm(this.#context, () => isHolder).run(signal);
    const attempt = async () => {
      const outcome = await holdLease(deps, signal, async (held, until) => {
        isHolder = true;
        this.#isStandby = false;
        await this.#work(held, until, start).finally(() => {
          isHolder = false;
        });
      });
      if (outcome === 'refused' && !this.#isStandby)
        logger.info({}, 'another process does the work on this database; standing by');
      if (outcome === 'lost') logger.warn({}, 'lease lost: this process has stopped its work');
      this.#isStandby = outcome !== 'done';
    };
    const isFatal = (error: unknown) => error instanceof UserError;
    await this.#retrying('work of this process failed; retrying every second', attempt, signal, isFatal);
  }

  async #work(held: HeldLease, signal: AbortSignal, start: Start): Promise<void> {
    const { ingest, bots, checks } = this.#parts;
    const { database, owner, clock, logger } = this.#context;
    const report = { worker: database.worker, owner, address: start.address, checks, clock, logger };
    await allOrNone(signal, [
      async (until) => ingest?.run(held, until),
      (until) => bots.run(until, start.address),
      (until) => this.#sendWebhooks(until, start),
      (until) => this.#runJobs(until),
      (until) => reportWorker(report, until),
    ]);
  }

  #sendWebhooks(signal: AbortSignal, { lastAlertId }: Start): Promise<void> {
    const attempt = async () => {
      const engine = wireDeliver(this.#context, this.#parts.outgoing);
      this.#deliver = engine;
      try {
        await engine.start(lastAlertId);
        await untilAborted(signal);
      } finally {
        this.#deliver = null;
        await engine.close();
      }
    };
    return this.#retrying('webhooks failed; retrying every second', attempt, signal);
  }

  #runJobs(signal: AbortSignal): Promise<void> {
    const attempt = async () => {
      // Only a process that runs jobs loads them.
      const { wireJobs } = await import('./jobs.ts');
      const { publishRecord } = this.#parts;
      const jobs = await wireJobs(this.#context, publishRecord, signal);
      try {
        await jobs.start();
        await makeRecords(publishRecord, this.#context, signal);
        await untilAborted(signal);
      } finally {
        await jobs.close();
      }
    };
    return this.#retrying('jobs failed; retrying every second', attempt, signal);
  }

  #retrying(
    message: string,
    attempt: () => Promise<void>,
    signal: AbortSignal,
    isFatal = (_error: unknown) => false,
  ): Promise<void> {
    const { clock, logger } = this.#context;
    const asError = { warn: (fields: object, words: string) => logger.error(fields, words) };
    const failures = new FailureLog(asError, message);
    return repeat(attempt, { clock, signal, intervalMs: RETRY_MS, failures, isFatal });
  }
}
