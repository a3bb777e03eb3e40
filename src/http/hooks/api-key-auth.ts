import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction, onRequestHookHandler } from 'fastify';
import type { KeyCheckResult, KeyRefusal } from '../../core/keys/key-check.ts';
import type { ServerDeps } from '../server-deps.ts';
import type { Caller } from './caller.ts';
import { clientOf } from './client-address.ts';
import { createConnectionAuthCache } from './connection-auth-cache.ts';
import type { CredentialSource } from './credential-source.ts';
import { sendUnavailable } from './errors.ts';
import { createAddressLimit, createMeter } from './rate-limit.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null where no key is needed and no right one was sent. */
    caller: Caller | null;
  }
}

type ApiKeyAuthDeps = Pick<ServerDeps, 'keyCheck' | 'usage' | 'rateLimiter' | 'onFirstUse'>;

/**
 * Authentication of the protected scope: without a key that is right at this moment no handler runs. It counts the call,
 * and then holds it against the key's limit. A key verified before and without a limit passes without a promise, so
 * that hot routes pay no await.
 */
export function requireApiKey(deps: ApiKeyAuthDeps, place: CredentialSource): onRequestHookHandler {
  const authenticate = createAuthentication(deps, place);
  return (request, reply, done) =>
    authenticate({ request, reply, done }, (refusal) => void refuse(reply, refusal, place));
}

/**
 * Authentication of the routes that need no key: a right one is counted and limited as on the protected routes, and
 * `request.caller` is who calls. Everyone else is limited by address. A wrong key is checked, and its failure counted,
 * as on the protected routes, so guessing is no cheaper here; it is no error. One that cannot be checked now is
 * refused: its caller may be entitled to more than the answer without a key.
 */
export function acceptApiKey(
  deps: ApiKeyAuthDeps & Pick<ServerDeps, 'publicRequestsPerMinute'>,
  place: CredentialSource,
): onRequestHookHandler {
  const authenticate = createAuthentication(deps, place);
  const limitAddress = createAddressLimit(deps);
  return (request, reply, done) => {
    const asPublic = () => limitAddress(request, reply, done);
    const onRefused = (refusal: KeyRefusal) => {
      if (isForNow(refusal)) refuse(reply, refusal, place);
      else asPublic();
    };
    if (place.keyOf(place.textOf(request)) === undefined) asPublic();
    else authenticate({ request, reply, done }, onRefused);
  };
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly done: HookHandlerDoneFunction;
}

/** Checks the key that is sent: counts and meters the call of a right one, and hands a refused one to `onRefused`. */
function createAuthentication(deps: ApiKeyAuthDeps, place: CredentialSource) {
  const { keyCheck, usage, onFirstUse } = deps;
  const admissions = createConnectionAuthCache(deps);
  const meter = createMeter(deps);
  return (exchange: Exchange, onRefused: (refusal: KeyRefusal) => void): void => {
    const { request, done } = exchange;
    const admit = (caller: Caller): void => {
      const { key, tier, policy } = caller;
      usage.count(key.id);
      if (key.firstUsedAt === null && key.customerId !== null) onFirstUse?.(key);
      request.caller = caller;
      const limit = policy.requestsPerMinute;
      if (limit === null) done();
      else meter(exchange, { subject: `key:${key.id}`, limit, name: `${tier} tier` });
    };
    const text = place.textOf(request);
    const { socket } = request.raw;
    const settle = (result: KeyCheckResult): void => {
      if (result.ok) admit(admissions.remember(socket, text, result));
      else onRefused(result);
    };
    const known = admissions.recall(socket, text);
    if (known !== null) {
      admit(known);
      return;
    }
    const result = keyCheck.check(place.keyOf(text), clientOf(request.ip));
    if (result instanceof Promise) result.then(settle, done);
    else settle(result);
  };
}

export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null)
    throw new Error(`${request.routeOptions.url} is outside of the protected scope`);
  return request.caller;
}

const LIMITED = {
  failures: 'Too many failed attempts from this address. Try again later.',
  busy: 'Too many keys like this one are being checked. Try again shortly.',
} as const;

/** Whether the key may be right: its check was not possible. */
function isForNow(refusal: KeyRefusal): boolean {
  return refusal.reason === 'unavailable' || (refusal.reason === 'limited' && refusal.why === 'busy');
}

function refuse(reply: FastifyReply, refusal: KeyRefusal, { advice }: CredentialSource): FastifyReply {
  switch (refusal.reason) {
    case 'missing':
      return unauthorized(reply, `API key missing. ${advice}`);
    case 'invalid':
      return unauthorized(reply, 'Invalid API key.');
    case 'limited':
      return reply
        .code(429)
        .header('retry-after', refusal.retryAfterSeconds)
        .send({ detail: LIMITED[refusal.why] });
    case 'unavailable':
      return sendUnavailable(reply, refusal.retryAfterSeconds);
  }
}

function unauthorized(reply: FastifyReply, detail: string): FastifyReply {
  return reply.code(401).header('www-authenticate', 'Bearer').send({ detail });
}
