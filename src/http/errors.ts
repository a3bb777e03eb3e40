import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ServerDeps } from './server-deps.ts';
import { isInvalidRequest } from './validation.ts';

/** Every refusal but 422. */
export const errorSchema = z.object({ detail: z.string() });

export const invalidRequestSchema = z.object({
  detail: z.array(
    z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string(), type: z.string() }),
  ),
});

/** What the framework refuses before a handler runs, in our words. */
const REFUSALS: Record<number, string> = {
  400: 'Bad request.',
  404: 'Not found.',
  408: 'The request took too long to arrive.',
  413: 'The request body is too large.',
  414: 'The address is too long.',
  415: 'Unsupported media type. Send application/json.',
  431: 'The request headers are too large.',
};

const JSON_CODES = new Set(['FST_ERR_CTP_INVALID_JSON_BODY', 'FST_ERR_CTP_EMPTY_JSON_BODY']);
const OUTAGE_RETRY_SECONDS = 2;

interface Failure {
  readonly statusCode?: unknown;
  readonly code?: unknown;
}

/** The one place where a thrown error becomes an answer. Nothing of the inside leaves in a 5xx. */
export function createErrorHandler({ logger, isOutage }: Pick<ServerDeps, 'logger' | 'isOutage'>) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    // Errors of the router come before any hook.
    reply.header('x-request-id', request.id);
    if (isInvalidRequest(error)) return reply.code(422).send({ detail: error.problems });
    const { statusCode, code } = (error ?? {}) as Failure;
    if (JSON_CODES.has(String(code)) || error instanceof SyntaxError) {
      return reply
        .code(422)
        .send({ detail: [{ loc: ['body'], msg: 'JSON decode error', type: 'json_invalid' }] });
    }
    if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
      return reply.code(statusCode).send({ detail: REFUSALS[statusCode] ?? 'The request was refused.' });
    }
    const { method, routeOptions } = request;
    logger.error({ err: error, requestId: request.id, method, route: routeOptions.url }, 'request failed');
    if (isOutage?.(error) === true) return sendUnavailable(reply, OUTAGE_RETRY_SECONDS);
    return reply.code(500).send({ detail: 'Internal server error.' });
  };
}

export function sendUnavailable(reply: FastifyReply, retryAfterSeconds: number): FastifyReply {
  return reply
    .code(503)
    .header('retry-after', retryAfterSeconds)
    .send({ detail: 'The service is temporarily unavailable. Try again shortly.' });
}

/** Answers what is no HTTP request, or did not arrive in time, and hangs up. */
export function createBrokenRequestAnswer({ onAnswer }: Pick<ServerDeps, 'onAnswer'>) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    const status = BROKEN[error.code ?? ''] ?? '400 Bad Request';
    onAnswer?.('none', Number(status.slice(0, 3)), 0);
    hangUp(status, error, socket);
  };
}

function hangUp(status: string, error: Error, socket: Socket): void {
  const body = JSON.stringify({ detail: REFUSALS[Number(status.slice(0, 3))] });
  const lines = [
    `HTTP/1.1 ${status}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${body.length}`,
    `x-request-id: ${randomUUID()}`,
    'connection: close',
  ];
  if (socket.writable) socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
  socket.destroy(error);
}

const BROKEN: Record<string, string> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
};
