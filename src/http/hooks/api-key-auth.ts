import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { ApiKey } from '../../core/accounts/keys/api-key.ts';
import type { KeyAdmission, KeyRefusal } from '../../core/accounts/keys/key-check.ts';
import { TIER_POLICIES, type Tier, type TierPolicy } from '../../core/accounts/tier.ts';
import type { ServerDeps } from '../server-deps.ts';
import { clientOf } from './client-address.ts';
import { createAddressLimit, createMeter, type Exchange } from './rate-limit.ts';
import { refuse, sendUnavailable } from './refuse.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null on a route that needs no key, when no valid one was sent. */
    caller: Caller | null;
  }
}

type ApiKeyAuthDeps = Pick<ServerDeps, 'keyCheck' | 'usage' | 'rateLimiter' | 'onFirstUse'>;

/** No handler runs without a valid key. A call with one is counted, then held against the limit of the key. */
export function requireApiKey(deps: ApiKeyAuthDeps, source: CredentialSource): onRequestHookHandler {
  const authenticate = createAuthentication(deps);
  return (request, reply, done) =>
    authenticate({ request, reply, done }, source.keyOf(request), (refusal) => {
      refuseKey(reply, refusal, source);
    });
}

/**
 * Authentication of the routes that need no key. A call with a valid key is counted and limited as on the protected
 * routes, and `request.caller` is set; all other calls are limited by address. A wrong key is checked, and its failure
 * counted, as on the protected routes, so that guessing is no cheaper here, but the call is answered like one without a
 * key. A key that cannot be checked now is refused: its caller may be entitled to more than the answer without a key.
 */
export function acceptApiKey(
  deps: ApiKeyAuthDeps & Pick<ServerDeps, 'addressLimiter' | 'publicRequestsPerMinute'>,
  source: CredentialSource,
): onRequestHookHandler {
  const authenticate = createAuthentication(deps);
  const limitAddress = createAddressLimit(deps);
  return (request, reply, done) => {
    const key = source.keyOf(request);
    if (key === undefined) return limitAddress(request, reply, done);
    authenticate({ request, reply, done }, key, (refusal) => {
      const isUnchecked = refusal.reason === 'unavailable' || refusal.reason === 'busy';
      if (isUnchecked) refuseKey(reply, refusal, source);
      else limitAddress(request, reply, done);
    });
  };
}

/** Whoever sends `Authorization` means to use a key, and is told when it is none; a call without it is limited by address. */
export function offerApiKey(
  deps: ApiKeyAuthDeps & Pick<ServerDeps, 'addressLimiter' | 'publicRequestsPerMinute'>,
  source: CredentialSource,
): onRequestHookHandler {
  const needKey = requireApiKey(deps, source);
  const limitAddress = createAddressLimit(deps);
  return function offer(request, reply, done) {
    if (request.headers.authorization === undefined) limitAddress(request, reply, done);
    else needKey.call(this, request, reply, done);
  };
}

function createAuthentication({ keyCheck, usage, rateLimiter, onFirstUse }: ApiKeyAuthDeps) {
  const meter = createMeter(rateLimiter);
  function admit(exchange: Exchange, { key, tier, lookup }: KeyAdmission): void {
    usage.count(key.id);
    if (key.firstUsedAt === null && key.customerId !== null) onFirstUse?.(key);
    const policy = policyOf(key, tier);
    exchange.request.caller = { key, tier, lookup, policy };
    const limit = policy.requestsPerMinute;
    if (limit === null) exchange.done();
    else meter(exchange, { subject: `key:${key.id}`, limit, name: `${tier} tier` });
  }
  return (
    exchange: Exchange,
    presented: string | undefined,
    onRefused: (refusal: KeyRefusal) => void,
  ): void => {
    const admission = presented === undefined ? null : keyCheck.recall(presented);
    if (admission !== null) {
      admit(exchange, admission);
      return;
    }
    keyCheck
      .check(presented, clientOf(exchange.request.ip))
      .then((result) => (result.ok ? admit(exchange, result) : onRefused(result)), exchange.done);
  };
}

export function callerOf(request: Pick<FastifyRequest, 'caller' | 'routeOptions'>): Caller {
  if (request.caller === null) throw new Error(`${request.routeOptions.url} is outside the protected scope`);
  return request.caller;
}

function refuseKey(reply: FastifyReply, refusal: KeyRefusal, { advice }: CredentialSource): FastifyReply {
  switch (refusal.reason) {
    case 'missing':
      reply.header('www-authenticate', 'Bearer');
      return refuse(reply, 'key_missing', `API key missing. ${advice}`);
    case 'invalid':
      return refuse(reply.header('www-authenticate', 'Bearer'), 'key_invalid');
    case 'failures':
      return refuse(reply.header('retry-after', refusal.retryAfterSeconds), 'too_many_failures');
    case 'busy':
      return refuse(reply.header('retry-after', refusal.retryAfterSeconds), 'key_check_busy');
    case 'unavailable':
      return sendUnavailable(reply, refusal.retryAfterSeconds);
  }
}

function policyOf({ limits }: Pick<ApiKey, 'limits'>, tier: Tier): TierPolicy {
  const policy = TIER_POLICIES[tier];
  if (limits === null || tier !== 'enterprise') return policy;
  return {
    ...policy,
    requestsPerMinute: limits.requestsPerMinute ?? policy.requestsPerMinute,
    maxSockets: limits.maxSockets ?? policy.maxSockets,
  };
}

export interface Caller {
  readonly key: ApiKey;
  readonly tier: Tier;
  /** The lookup part of the presented secret. */
  readonly lookup: string;
  readonly policy: TierPolicy;
}

interface CredentialSource {
  /** Undefined if there is none, or if there are several that differ. */
  keyOf(request: FastifyRequest): string | undefined;
  readonly advice: string;
}

const AUTHORIZATION = 'authorization';
/** Runs in linear time on any header: no two parts of it match the same character. */
const BEARER = /^Bearer +(\S+) *$/i;

/** Contract, Authentication 1. */
export const KEY_IN_HEADER: CredentialSource = {
  keyOf: ({ raw }) => BEARER.exec(authorizationOf(raw))?.[1],
  advice: 'Send it in the header Authorization: Bearer <API_KEY>.',
};

/** Contract, Authentication 2: not in a header. */
export const KEY_IN_QUERY: CredentialSource = {
  keyOf({ query }) {
    const [first = '', ...others] = [(query as Record<string, string | string[]>)['api_key'] ?? []].flat();
    return first !== '' && others.every((other) => other === first) ? first : undefined;
  },
  advice: 'Send it in the query parameter api_key.',
};

function authorizationOf({ headers: { authorization = '' }, rawHeaders }: IncomingMessage): string {
  if (authorization === '') return '';
  // Node keeps the first of several headers. Which of them is meant is unknown, so that different ones make no key.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at + 1] !== authorization && isAuthorization(rawHeaders[at] ?? '')) return '';
  }
  return authorization;
}

function isAuthorization(name: string): boolean {
  return name.length === AUTHORIZATION.length && name.toLowerCase() === AUTHORIZATION;
}
