import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { ApiKey } from '../core/keys/api-key.ts';
import type { KeyCheckResult, KeyRefusal } from '../core/keys/key-check.ts';
import { TIER_POLICIES, type Tier, type TierPolicy } from '../core/tier.ts';
import { sendUnavailable } from './errors.ts';
import type { ServerDeps } from './server-deps.ts';

/** Who calls a protected route. */
export interface Caller {
  readonly key: ApiKey;
  readonly tier: Tier;
  readonly policy: TierPolicy;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null outside of the protected scope. */
    caller: Caller | null;
  }
}

const BEARER = /^Bearer +(.*\S) *$/i;

/**
 * The door of the protected scope: without a key that is right at this moment no handler runs. It counts the call.
 * A key verified before passes without a promise, so that hot routes pay no await.
 */
export function createDoor({
  keyCheck,
  usage,
}: Pick<ServerDeps, 'keyCheck' | 'usage'>): onRequestHookHandler {
  return (request, reply, done) => {
    const settle = (result: KeyCheckResult): void => {
      if (!result.ok) return void refuse(reply, result);
      usage.count(result.key.id);
      request.caller = { key: result.key, tier: result.tier, policy: TIER_POLICIES[result.tier] };
      done();
    };
    const result = keyCheck.check(bearerOf(request.headers.authorization), clientOf(request.ip));
    if (result instanceof Promise) result.then(settle, done);
    else settle(result);
  };
}

/** One host has a whole /64 of IPv6, so that is what failures are counted against. */
function clientOf(ip: string): string {
  if (!ip.includes(':') || ip.startsWith('::ffff:')) return ip;
  const [head = '', tail = ''] = ip.split('::');
  const groups = head.split(':').filter((group) => group !== '');
  const rest = tail.split(':').filter((group) => group !== '');
  const missing = ip.includes('::') ? 8 - groups.length - rest.length : 0;
  return [...groups, ...new Array<string>(missing).fill('0'), ...rest].slice(0, 4).join(':');
}

export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null)
    throw new Error(`${request.routeOptions.url} is outside of the protected scope`);
  return request.caller;
}

function bearerOf(header: string | undefined): string | undefined {
  return header === undefined ? undefined : BEARER.exec(header)?.[1];
}

const LIMITED = {
  failures: 'Too many failed attempts from this address. Try again later.',
  busy: 'Too many keys like this one are being checked. Try again shortly.',
} as const;

function refuse(reply: FastifyReply, refusal: KeyRefusal): FastifyReply {
  switch (refusal.reason) {
    case 'missing':
      return unauthorized(reply, 'API key missing. Send it in the header Authorization: Bearer <API_KEY>.');
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
