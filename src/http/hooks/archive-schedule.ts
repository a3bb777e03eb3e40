import type { FastifyRequest } from 'fastify';
import type { CallerSchedule } from '../../core/archive/archive-scheduler.ts';
import { ADDRESS_PREFIX } from '../../core/limits/rate-limiter.ts';
import type { ServerDeps } from '../server-deps.ts';
import { clientOf } from './client-address.ts';

/** Schedules archive reads for the key of a request, or for its address without a key. Drops reads that have not started when the connection closes. */
export function scheduleOf(
  request: FastifyRequest,
  { archive }: Pick<ServerDeps, 'archive'>,
): CallerSchedule {
  const { caller } = request;
  const signal = hangUpSignal(request);
  // Absent on routes that look at the address only.
  const name = caller ? `key:${caller.key.id}` : `${ADDRESS_PREFIX}${clientOf(request.ip)}`;
  return archive.forCaller({ name, isPublic: !caller, signal });
}

/** Aborts when the connection of a request closes, also when it is closed already. */
export function hangUpSignal({ raw, signal }: FastifyRequest): AbortSignal {
  // `request.signal` does not abort for a connection that closed before its first use.
  return raw.destroyed ? AbortSignal.abort() : signal;
}
