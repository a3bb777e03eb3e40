import type { FastifyReply, preSerializationHookHandler } from 'fastify';
import {
  type ErrorBody,
  type ErrorCode,
  helpLink,
  type PlainErrorCode,
  plainBody,
} from '../schemas/error-codes.ts';
import { ERRORS } from '../schemas/error-table.ts';

/** Answers a request with an error. Without a sentence it has that of the table. */
export function refuse(reply: FastifyReply, code: PlainErrorCode): FastifyReply;
export function refuse(reply: FastifyReply, code: ErrorCode, detail: string): FastifyReply;
export function refuse(reply: FastifyReply, code: ErrorCode, detail?: string): FastifyReply {
  const body = detail === undefined ? plainBody(code as PlainErrorCode) : { detail, code };
  return reply.code(ERRORS[code].status).send(body);
}

/** Adds to every error the header that leads to its explanation. */
export const linkExplanation: preSerializationHookHandler<unknown> = (_request, reply, payload, done) => {
  const code = reply.statusCode < 400 ? undefined : (payload as Partial<ErrorBody> | null)?.code;
  if (code !== undefined) reply.headers(helpLink(code));
  done(null, payload);
};
