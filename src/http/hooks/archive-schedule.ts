import type { FastifyRequest } from 'fastify';
import type { ScheduleRead } from '../../core/archive/archive-scheduler.ts';
import { ADDRESS_PREFIX } from '../../core/limits/split-limiter.ts';
import type { ServerDeps } from '../server-deps.ts';
import { clientOf } from './client-address.ts';

/**
 * The schedule for a request's archive reads: that of its key, or of its address where it has none. Reads are dropped
 * when the connection closes before they start.
 */
export function scheduleOf(request: FastifyRequest, { archive }: Pick<ServerDeps, 'archive'>): ScheduleRead {
  const { caller, raw } = request;
  // `request.signal` does not abort for a connection that closed before it was first asked for.
  const signal = raw.destroyed ? AbortSignal.abort() : request.signal;
  return archive.forCaller(
    caller ? `key:${caller.key.id}` : `${ADDRESS_PREFIX}${clientOf(request.ip)}`,
    signal,
  );
}
