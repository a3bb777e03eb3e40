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
  const { caller, raw } = request;
  // `request.signal` does not abort for a connection that closed before its first use.
  const signal = raw.destroyed ? AbortSignal.abort() : request.signal;
  // Absent on routes that look at the address only.
  const name = caller ? `key:${caller.key.id}` : `${ADDRESS_PREFIX}${clientOf(request.ip)}`;
  return archive.forCaller({ name, isPublic: !caller, signal });
}
