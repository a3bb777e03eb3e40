import { z } from 'zod';
import { FailureLog } from '../base/async/failure-log.ts';
import { repeat, repeatUntil } from '../base/async/repeat.ts';
import type { Declaration, Documents, OpenDocuments } from '../base/documents/documents.ts';
import type { Logger } from '../base/logger.ts';
import type { RandomText } from '../base/random.ts';
import type { Clock } from '../base/time/clock.ts';
import { type EpochMs, MINUTE_MS, SECOND_MS } from '../base/time/duration.ts';
import { isAlive, type WorkerReports } from './worker-report.ts';

/** Requests from a process that died while waiting for the answer are never carried out after this time. */
export const REQUEST_TTL_MS = 5 * MINUTE_MS;

const STATES = ['waiting', 'running', 'done', 'refused', 'cancelled'] as const;

const schema = z.strictObject({
  id: z.string(),
  command: z.string(),
  /** Without secrets. */
  args: z.string(),
  /** The operator, as in the audit log. */
  actor: z.string(),
  at: z.int(),
  /**
   * `running`: a process took it; if that process died, the outcome is unknown and it is not carried out again. `cancelled`:
   * no process took it in time.
   */
  state: z.enum(STATES),
  /** What was done, or why not; null without an answer. */
  answer: z.string().nullable(),
});

/** A confirmed command of an operator that the worker carries out. */
export type OperatorRequest = z.infer<typeof schema>;

const REQUESTS: Declaration<OperatorRequest> = {
  kind: 'operator_requests',
  schema,
  indexes: {
    operator_requests_by_state: { fields: ['state', 'at'] },
    operator_requests_by_time: { fields: ['at'] },
  },
};

/** Requests of operators, shared by all processes. */
export class OperatorRequests {
  readonly #requests: Documents<OperatorRequest>;

  constructor(open: OpenDocuments) {
    this.#requests = open(REQUESTS);
  }

  async add(request: Omit<OperatorRequest, 'state' | 'answer'>): Promise<void> {
    await this.#requests.insertMissing([{ ...request, state: 'waiting', answer: null }]);
  }

  get(id: string): Promise<OperatorRequest | null> {
    return this.#requests.get(id);
  }

  /** Waiting requests made at or after `since`, oldest first, at most `limit`. */
  waiting({ since, limit }: { since: EpochMs; limit: number }): Promise<readonly OperatorRequest[]> {
    const where = { state: 'waiting', at: { gte: since } } as const;
    return this.#requests.find({ where, order: 'at', limit });
  }

  /** From `waiting` to `running`; false when it is not waiting. Only one of several concurrent calls succeeds. */
  take(id: string): Promise<boolean> {
    return this.#change({ id, state: 'waiting' }, { state: 'running' });
  }

  /** From `waiting` to `cancelled`; false when it is not waiting. */
  cancel(id: string): Promise<boolean> {
    return this.#change({ id, state: 'waiting' }, { state: 'cancelled' });
  }

  /** Ends a running request. */
  async answer(id: string, { state, answer }: RequestAnswer): Promise<void> {
    await this.#change({ id, state: 'running' }, { state, answer });
  }

  /** Removes requests made before the moment, and returns their number. */
  prune(before: EpochMs): Promise<number> {
    return this.#requests.delete({ at: { lt: before } });
  }

  async #change(where: Pick<OperatorRequest, 'id' | 'state'>, set: Partial<OperatorRequest>) {
    return (await this.#requests.update(where, { set })) === 1;
  }
}

/** How long an operator waits for the answer. */
const WAIT_MS = 30 * SECOND_MS;
const LOOK_EVERY_MS = 250;
const ID_BYTES = 12;

/** A command for the worker. */
export type RequestedCommand = Pick<OperatorRequest, 'command' | 'args' | 'actor'>;

/**
 * Outcome of a request. `no_worker`: none runs. `not_taken`: it was not taken within 30 s, and will not be carried out later.
 * `no_answer`: it was taken and did not end within 30 s.
 */
export type RequestResult =
  | { readonly outcome: 'done' | 'refused'; readonly answer: string }
  | { readonly outcome: 'no_worker' | 'not_taken' | 'no_answer' };

interface RequestSenderOptions {
  readonly requests: Pick<OperatorRequests, 'add' | 'get' | 'cancel'>;
  readonly worker: Pick<WorkerReports, 'get'>;
  readonly clock: Clock;
  readonly random: RandomText;
  /** What happens while the operator waits. */
  readonly onProgress?: (words: string) => void;
}

/** Sends commands of operators to the worker, and waits for the answer. */
export class RequestSender {
  readonly #options: RequestSenderOptions;

  constructor(options: RequestSenderOptions) {
    this.#options = options;
  }

  /** Throws what the stores throw: the outcome is unknown then, and the audit log shows it. */
  async send(command: RequestedCommand): Promise<RequestResult> {
    const { requests, worker, clock, random, onProgress = () => {} } = this.#options;
    const now = clock.now();
    if (!isAlive(await worker.get(), now)) return { outcome: 'no_worker' };
    const id = `req_${random.base64url(ID_BYTES)}`;
    await requests.add({ ...command, id, at: now });
    onProgress('Sent to the running service; waiting for its answer, at most 30 s …');
    const last = await this.#answerOf(id, () => onProgress('It was taken; waiting for the result …'));
    if (last?.state === 'done' || last?.state === 'refused')
      return { outcome: last.state, answer: last.answer ?? '' };
    return { outcome: (await requests.cancel(id)) ? 'not_taken' : 'no_answer' };
  }

  /** The request when it has ended, or after 30 s. */
  async #answerOf(id: string, onTaken: () => void): Promise<OperatorRequest | null> {
    const { requests, clock } = this.#options;
    const until = clock.now() + WAIT_MS;
    const signal = new AbortController().signal;
    let last: OperatorRequest | null = null;
    const hasEnded = async () => {
      const found = await requests.get(id);
      if (found?.state === 'running' && last?.state !== 'running') onTaken();
      last = found;
      return (found?.state !== 'waiting' && found?.state !== 'running') || clock.now() >= until;
    };
    await repeatUntil(hasEnded, { clock, signal, intervalMs: LOOK_EVERY_MS });
    return last;
  }
}

const SERVED_AT_ONCE = 20;

interface ServeRequestsOptions {
  readonly requests: Pick<OperatorRequests, 'waiting' | 'take' | 'answer'>;
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

/** Carries out requests of other processes, each once, until the signal aborts; none older than 5 minutes. */
export async function serveRequests(
  { requests, obey, clock, logger }: ServeRequestsOptions,
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
    for (const request of await requests.waiting({ since, limit: SERVED_AT_ONCE })) {
      if (signal.aborted) return;
      await carryOut(request);
    }
  };
  await repeat(serve, { clock, signal, intervalMs: SECOND_MS, failures });
}

const FAILED =
  'That failed: a part of the service does not answer. Its log has the details, and “health” shows how far it got.';
