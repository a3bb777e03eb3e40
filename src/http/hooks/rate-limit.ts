import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import {
  type LimitVerdict,
  networkLimiter,
  type RateLimiter,
} from '../../core/accounts/limits/rate-limiter.ts';
import type { ServerDeps } from '../server-deps.ts';
import { clientOf } from './client-address.ts';
import { refuse } from './refuse.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Calls of this route neither count against the limit nor are refused by it. */
    readonly isUnmetered?: boolean;
  }
}

export interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly done: HookHandlerDoneFunction;
}

/** `name` stands for the subject in a refusal. */
interface Metered {
  readonly subject: string;
  readonly limit: number;
  readonly name: string;
}

export function createMeter(rateLimiter: RateLimiter) {
  return ({ request, reply, done }: Exchange, { subject, limit, name }: Metered): void => {
    const isUnmetered = request.routeOptions.config.isUnmetered === true;
    const settle = (verdict: LimitVerdict): void => {
      setRateLimitHeaders(reply, verdict);
      if (verdict.isAllowed || isUnmetered) done();
      else refuseExcess(reply, verdict, name);
    };
    const verdict = isUnmetered ? rateLimiter.read(subject, limit) : rateLimiter.consume(subject, limit);
    verdict.then(settle, done);
  };
}

export function createAddressLimit({
  addressLimiter,
  publicRequestsPerMinute: limit,
}: Pick<ServerDeps, 'addressLimiter' | 'publicRequestsPerMinute'>) {
  const meter = createMeter(networkLimiter(addressLimiter));
  return (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    const subject = clientOf(request.ip);
    if (limit === null) done();
    else meter({ request, reply, done }, { subject, limit, name: 'public routes' });
  };
}

function refuseExcess(reply: FastifyReply, { limit, resetMs }: LimitVerdict, name: string): void {
  reply.header('retry-after', Math.max(1, seconds(resetMs)));
  refuse(reply, 'rate_limited', `Rate limit exceeded. ${name}: ${limit} req/min.`);
}

function setRateLimitHeaders(reply: FastifyReply, { limit, remaining, resetMs }: LimitVerdict): void {
  const reset = seconds(resetMs);
  for (const prefix of ['ratelimit', 'x-ratelimit']) {
    reply
      .header(`${prefix}-limit`, limit)
      .header(`${prefix}-remaining`, remaining)
      .header(`${prefix}-reset`, reset);
  }
}

function seconds(ms: number): number {
  return Math.ceil(ms / 1_000);
}
