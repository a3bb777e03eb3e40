import type { FastifyReply, FastifyRequest, preSerializationHookHandler } from 'fastify';
import { CALLER_READS } from '../../core/alerts/alert-index/read-turns.ts';
import { QueueFullError } from '../../core/base/async/fair-queue.ts';
import {
  type ErrorBody,
  type ErrorCode,
  earlyCode,
  helpLink,
  type PlainErrorCode,
  plainBody,
} from '../schemas/error-codes.ts';
import { ERRORS } from '../schemas/error-table.ts';
import { type InvalidRequest, isInvalidRequest } from '../schemas/validation.ts';
import type { OperatorDeps } from '../server-deps.ts';

const OUTAGE_RETRY_SECONDS = 2;
const QUEUE_RETRY_SECONDS = 1;

export function refuse(reply: FastifyReply, code: PlainErrorCode): FastifyReply;
export function refuse(reply: FastifyReply, code: ErrorCode, detail: string): FastifyReply;
export function refuse(reply: FastifyReply, code: ErrorCode, detail?: string): FastifyReply {
  const body = detail === undefined ? plainBody(code as PlainErrorCode) : { detail, code };
  return reply.code(ERRORS[code].status).send(body);
}

export function sendUnavailable(reply: FastifyReply, retryAfterSeconds: number): FastifyReply {
  return refuse(reply.header('retry-after', retryAfterSeconds), 'unavailable');
}

export const linkExplanation: preSerializationHookHandler<unknown> = (_request, reply, payload, done) => {
  const code = reply.statusCode < 400 ? undefined : (payload as Partial<ErrorBody> | null)?.code;
  if (code !== undefined) reply.headers(helpLink(code));
  done(null, payload);
};

/** Thrown by a reader that REST and MCP share: the refusal as its caller is told it. */
export class RefusedError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, detail: string) {
    super(detail);
    this.code = code;
  }
}

export interface HttpRefusal {
  readonly code: ErrorCode;
  readonly detail: string | InvalidRequest['problems'];
  readonly retryAfterSeconds?: number;
}

/** Turns thrown errors into answers. A 5xx contains no internals. */
export function createErrorHandler(deps: OperatorDeps) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    // Errors of the router come before any hook.
    reply.header('x-request-id', request.id);
    // The client disconnected before its read started.
    if (request.raw.destroyed && isAbort(error)) return reply.hijack();
    const { code, detail, retryAfterSeconds } = refusalOf(error, request, deps);
    if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds);
    return reply.code(ERRORS[code].status).send({ detail, code });
  };
}

/** What the caller is told of a thrown error. Faults of the service are logged. */
export function refusalOf(
  error: unknown,
  request: FastifyRequest,
  { logger, isOutage }: Pick<OperatorDeps, 'logger' | 'isOutage'>,
): HttpRefusal {
  if (isInvalidRequest(error)) return { code: 'invalid_request', detail: error.problems };
  if (error instanceof RefusedError) return { code: error.code, detail: error.message };
  const { statusCode } = (error ?? {}) as { readonly statusCode?: unknown };
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    return plainBody(earlyCode(statusCode));
  }
  if (error instanceof QueueFullError) return fullQueue(error, request);
  const { method, routeOptions } = request;
  logger.error({ err: error, requestId: request.id, method, route: routeOptions.url }, 'request failed');
  if (isOutage?.(error) !== true) return plainBody('internal_error');
  return { ...plainBody('unavailable'), retryAfterSeconds: OUTAGE_RETRY_SECONDS };
}

/** Not the text of the rate limit: waiting for the end of the minute does not help here. */
function fullQueue({ scope }: QueueFullError, { caller }: FastifyRequest): HttpRefusal {
  const retryAfterSeconds = QUEUE_RETRY_SECONDS;
  if (scope === 'all') return { ...plainBody('unavailable'), retryAfterSeconds };
  const { running, total } = CALLER_READS;
  return {
    code: 'archive_busy',
    detail:
      `Too many simultaneous archive requests from this ${caller ? 'key' : 'address'}: at most ${total}, ` +
      `${running} running and the others waiting. Wait for an answer before sending the next request.`,
    retryAfterSeconds,
  };
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
