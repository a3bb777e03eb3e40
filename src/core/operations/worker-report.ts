import { z } from 'zod';
import { FailureLog } from '../base/async/failure-log.ts';
import { repeat } from '../base/async/repeat.ts';
import { withTimeout } from '../base/async/with-timeout.ts';
import type { Declaration, Documents, OpenDocuments } from '../base/documents/documents.ts';
import type { Logger } from '../base/logger.ts';
import type { Clock } from '../base/time/clock.ts';
import { type EpochMs, SECOND_MS } from '../base/time/duration.ts';

/** Interval of the worker's reports. */
export const REPORT_INTERVAL_MS = 10 * SECOND_MS;
/** A worker without a report for this long counts as dead. */
export const REPORT_TIMEOUT_MS = 3 * REPORT_INTERVAL_MS;
const TIMEOUT_MS = 2 * SECOND_MS;

interface ReportDeps {
  readonly worker: Pick<WorkerReports, 'put' | 'remove'>;
  readonly owner: string;
  /** Where this process serves the API. */
  readonly address: string;
  /** The checks of `/readyz`. */
  readonly checks: () => Promise<WorkerReport['checks']>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Stores what the worker reports until the signal aborts, then removes the last report. Never throws. */
export async function reportWorker(
  { worker, owner, address, checks, clock, logger }: ReportDeps,
  signal: AbortSignal,
): Promise<void> {
  const failures = new FailureLog(logger, 'report of the worker not stored; retrying in 10 s');
  const timed = (call: Promise<void>) => withTimeout({ clock, timeoutMs: TIMEOUT_MS }, call);
  const write = async () => worker.put({ owner, at: clock.now(), address, checks: await checks() });
  await repeat(() => timed(write()), { clock, signal, intervalMs: REPORT_INTERVAL_MS, failures });
  await failures.guard(() => timed(worker.remove(owner)));
}

/** What the process with the lease last said of itself; other processes and the command line read it. */
export interface WorkerReport {
  readonly owner: string;
  readonly at: EpochMs;
  /** Where it serves the API: `PUBLIC_URL`, or the address that it listens on. */
  readonly address: string;
  /** The checks of `/readyz`: of the source, deliveries, bots, the disk. */
  readonly checks: Readonly<Record<string, unknown>>;
}

/** Whether the worker reported recently. */
export function isAlive(report: Pick<WorkerReport, 'at'> | null, now: EpochMs): boolean {
  return report !== null && now - report.at <= REPORT_TIMEOUT_MS;
}

/** The checks of a worker that reported recently; none of another. */
export function liveChecks(report: WorkerReport | null, now: EpochMs): WorkerReport['checks'] {
  return report !== null && isAlive(report, now) ? report.checks : {};
}

/** Checks are JSON: each part of the service has its own. */
const schema = z.strictObject({
  id: z.literal('worker'),
  owner: z.string(),
  at: z.int(),
  address: z.string(),
  checks: z.string(),
});
type ReportDocument = z.infer<typeof schema>;

const WORKER: Declaration<ReportDocument> = { kind: 'worker', schema };
const ID = 'worker';

/** The last report of the worker: one document. */
export class WorkerReports {
  readonly #documents: Documents<ReportDocument>;

  constructor(open: OpenDocuments) {
    this.#documents = open(WORKER, { isQuick: true });
  }

  /** Null before the first report, and after the end of a worker. */
  async get(): Promise<WorkerReport | null> {
    const found = await this.#documents.get(ID);
    if (found === null) return null;
    const { id, checks, ...report } = found;
    return { ...report, checks: JSON.parse(checks) };
  }

  /** Replaces the last report. */
  async put({ checks, ...report }: WorkerReport): Promise<void> {
    await this.#documents.put([{ id: ID, ...report, checks: JSON.stringify(checks) }]);
  }

  /** Removes the report of a worker that ends normally. */
  async remove(owner: string): Promise<void> {
    await this.#documents.delete({ id: ID, owner });
  }
}
