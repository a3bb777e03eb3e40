import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest, preValidationHookHandler } from 'fastify';
import { z } from 'zod';
import type { Creation, Idempotency } from '../../core/accounts/idempotency.ts';
import type { ErrorBody } from '../schemas/error-codes.ts';
import { parameter } from '../schemas/fields.ts';
import { invalidRequestOf } from '../schemas/validation.ts';
import { callerOf } from './api-key-auth.ts';
import { refuse } from './refuse.ts';

const NAME = 'idempotency-key';
const LENGTH = 255;

declare module 'fastify' {
  interface FastifyRequest {
    /** Equal for equal requests. Null without an `Idempotency-Key`. */
    fingerprint: string | null;
  }
}

/** For routes that create something. The examples of two routes differ: one value names one request. */
export const idempotencyHeaders = (example: string) =>
  z.object({
    [NAME]: parameter(
      z
        .string()
        .min(1)
        .max(LENGTH)
        .regex(/^[!-~]+$/, 'Input should be visible ASCII characters without spaces'),
      'Any value that is new for the request, such as a UUID. For 24 hours, repeating the request with the same value returns what the first one created, and nothing is created again. If that was changed or deleted since, the answer is a 409 with the code `idempotency_resource_changed`; a different request with the same value is a 422 with the code `idempotency_key_reused`.',
      example,
    ),
  });

/** Runs before the validation, which changes the body: the fingerprint is that of what was sent. */
export const takeFingerprint: preValidationHookHandler = (request, _reply, done) => {
  if (request.headers[NAME] !== undefined) {
    const { method, routeOptions, body } = request;
    request.fingerprint = hash('sha256', `${method} ${routeOptions.url} ${JSON.stringify(body, sorted)}`);
  }
  done();
};

interface CreateOptions {
  readonly idempotency: Pick<Idempotency, 'create'>;
  readonly creation: Creation;
  readonly full: ErrorBody;
}

/** Gives the id; null if the request was refused and answered. Throws an `InvalidRequest` for a value of another request. */
export async function createOnce(
  request: FastifyRequest,
  reply: FastifyReply,
  { idempotency, creation, full }: CreateOptions,
): Promise<string | null> {
  const { fingerprint, headers } = request;
  const named =
    fingerprint === null
      ? null
      : { keyId: callerOf(request).key.id, name: String(headers[NAME]), fingerprint };
  const result = await idempotency.create(named, creation);
  if (result.ok) {
    if (result.isReplay) reply.header('idempotent-replayed', 'true');
    return result.id;
  }
  if (result.reason === 'reused') {
    const msg = 'Idempotency-Key was used for another request in the last 24 hours: send a new value';
    throw invalidRequestOf([{ loc: ['header', NAME], msg, type: 'value_error' }], 'idempotency_key_reused');
  }
  if (result.reason === 'full') {
    refuse(reply, full.code, full.detail);
    return null;
  }
  const change = result.reason === 'missing' ? 'deleted' : 'changed';
  const detail = `This request was carried out before and created ${result.id}, which was ${change} since. Send a new Idempotency-Key to create another one.`;
  refuse(reply, 'idempotency_resource_changed', detail);
  return null;
}

/** Members in the order of their names: clients may write the same object in any order. */
function sorted(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
