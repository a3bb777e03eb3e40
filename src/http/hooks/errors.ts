import type { FastifyReply, FastifyRequest } from 'fastify';
import { CALLER_READS } from '../../core/archive/archive-scheduler.ts';
import { QueueFullError } from '../../core/async/fair-queue.ts';
import { isInvalidRequest } from '../schemas/validation.ts';
import type { ServerDeps } from '../server-deps.ts';

/** Texts for refusals of the framework, before a handler runs. */
export const REFUSALS: Readonly<Record<number, string>> = {
  400: 'Bad request.',
  404: 'Not found.',
  405: 'Method not allowed.',
  408: 'The request took too long to arrive.',
  413: 'The request body is too large.',
  414: 'The address is too long.',
  415: 'Unsupported media type. Send application/json in UTF-8, without compression.',
  417: 'Expectations are not met here.',
  431: 'The request headers are too large.',
  503: 'The service is temporarily unavailable. Try again shortly.',
};

const OUTAGE_RETRY_SECONDS = 2;
const QUEUE_RETRY_SECONDS = 1;

interface Failure {
  readonly statusCode?: unknown;
}

/** Turns thrown errors into answers. A 5xx contains no internals. */
export function createErrorHandler({ logger, isOutage }: ServerDeps) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    // Errors of the router come before any hook.
    reply.header('x-request-id', request.id);
    if (isInvalidRequest(error)) return reply.code(422).send({ detail: error.problems });
    const { statusCode } = (error ?? {}) as Failure;
    if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
      return reply.code(statusCode).send({ detail: REFUSALS[statusCode] ?? 'The request was refused.' });
    }
    if (error instanceof QueueFullError) return refuseRead(error, request, reply);
    // The client disconnected before its read started.
    if (request.raw.destroyed && isAbort(error)) return reply.hijack();
    const { method, routeOptions } = request;
    logger.error({ err: error, requestId: request.id, method, route: routeOptions.url }, 'request failed');
    if (isOutage?.(error) === true) return sendUnavailable(reply, OUTAGE_RETRY_SECONDS);
    return reply.code(500).send({ detail: 'Internal server error.' });
  };
}

/** Not the text of the rate limit: waiting for the end of the minute does not help here. */
function refuseRead(
  { scope }: QueueFullError,
  { caller }: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (scope === 'all') return sendUnavailable(reply, QUEUE_RETRY_SECONDS);
  const { running, total } = CALLER_READS;
  return reply
    .code(429)
    .header('retry-after', QUEUE_RETRY_SECONDS)
    .send({
      detail:
        `Too many simultaneous archive requests from this ${caller ? 'key' : 'address'}: at most ${total}, of which ${running} run ` +
        'and the others wait. Wait for an answer before sending the next request.',
    });
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

export function sendUnavailable(reply: FastifyReply, retryAfterSeconds: number): FastifyReply {
  return reply.code(503).header('retry-after', retryAfterSeconds).send({ detail: REFUSALS[503] });
}
