import type { FastifyReply, FastifyRequest, preSerializationHookHandler } from 'fastify';
import { CALLER_READS } from '../../core/alerts/archive/archive-scheduler.ts';
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
import { isInvalidRequest } from '../schemas/validation.ts';
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

/** Turns thrown errors into answers. A 5xx contains no internals. */
export function createErrorHandler({ logger, isOutage }: OperatorDeps) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    // Errors of the router come before any hook.
    reply.header('x-request-id', request.id);
    if (isInvalidRequest(error)) {
      const { problems: detail, reason: code } = error;
      return reply.code(ERRORS[code].status).send({ detail, code });
    }
    const { statusCode } = (error ?? {}) as { readonly statusCode?: unknown };
    if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
      return refuse(reply, earlyCode(statusCode));
    }
    if (error instanceof QueueFullError) return refuseRead(error, request, reply);
    // The client disconnected before its read started.
    if (request.raw.destroyed && isAbort(error)) return reply.hijack();
    const { method, routeOptions } = request;
    logger.error({ err: error, requestId: request.id, method, route: routeOptions.url }, 'request failed');
    if (isOutage?.(error) === true) return sendUnavailable(reply, OUTAGE_RETRY_SECONDS);
    return refuse(reply, 'internal_error');
  };
}

/** Not the text of the rate limit: waiting for the end of the minute does not help here. */
function refuseRead({ scope }: QueueFullError, { caller }: FastifyRequest, reply: FastifyReply) {
  if (scope === 'all') return sendUnavailable(reply, QUEUE_RETRY_SECONDS);
  const { running, total } = CALLER_READS;
  return refuse(
    reply.header('retry-after', QUEUE_RETRY_SECONDS),
    'archive_busy',
    `Too many simultaneous archive requests from this ${caller ? 'key' : 'address'}: at most ${total}, of which ${running} run ` +
      'and the others wait. Wait for an answer before sending the next request.',
  );
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
