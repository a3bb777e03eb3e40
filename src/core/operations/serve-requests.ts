import { FailureLog } from '../base/async/failure-log.ts';
import { repeat } from '../base/async/repeat.ts';
import type { Logger } from '../base/logger.ts';
import type { Clock } from '../base/time/clock.ts';
import { DAY_MS, SECOND_MS } from '../base/time/duration.ts';
import {
  type CommandNeed,
  type OperatorRequest,
  type OperatorRequestStore,
  REQUEST_TTL_MS,
} from './operator-request.ts';

const INTERVAL_MS = SECOND_MS;
const PAGE = 20;
const KEPT_MS = DAY_MS;

interface ServeRequestsOptions {
  readonly requests: Pick<OperatorRequestStore, 'waiting' | 'take' | 'answer' | 'prune'>;
  /** What this process can carry out. */
  readonly needs: CommandNeed;
  /** Carries out a request, which is confirmed. A failure is answered as a refusal. */
  readonly obey: (request: OperatorRequest) => Promise<RequestAnswer>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
}

/** What was done, or why not. */
export interface RequestAnswer {
  readonly state: 'done' | 'refused';
  readonly answer: string;
}

/**
 * Carries out the requests of operators in other processes, one after another, until the signal aborts. A request is taken
 * once: one whose process died is not repeated. Requests that waited for 5 minutes are not carried out.
 */
export async function serveRequests(
  { requests, needs, obey, clock, logger }: ServeRequestsOptions,
  signal: AbortSignal,
): Promise<void> {
  const failures = new FailureLog(logger, 'requests of operators unavailable; retrying every second');

  async function carryOut(request: OperatorRequest): Promise<void> {
    if (!(await requests.take(request.id))) return;
    const answer = await obey(request).catch((error: unknown): RequestAnswer => {
      const { command, actor } = request;
      logger.error({ err: error, command, actor }, 'operator command failed');
      return { state: 'refused', answer: FAILED };
    });
    await requests.answer(request.id, answer);
  }

  const serve = async () => {
    const since = clock.now() - REQUEST_TTL_MS + 1;
    for (const request of await requests.waiting({ needs, since, limit: PAGE })) {
      if (signal.aborted) return;
      await carryOut(request);
    }
  };
  await failures.guard(() => requests.prune(clock.now() - KEPT_MS));
  await repeat(serve, { clock, signal, intervalMs: INTERVAL_MS, failures });
}

const FAILED =
  'That failed: a part of the service does not answer. Its log has the details, and “audit” shows how far it got.';
