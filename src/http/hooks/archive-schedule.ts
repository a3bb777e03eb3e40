import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { ADDRESS_PREFIX } from '../../core/accounts/limits/rate-limiter.ts';
import type { CallerSchedule } from '../../core/alerts/archive/archive-scheduler.ts';
import type { ServerDeps } from '../server-deps.ts';
import { clientOf } from './client-address.ts';

/** Schedules archive reads for the key of a request, or for its address without a key. Drops reads that have not started when the connection closes. */
export function scheduleOf(
  request: FastifyRequest,
  { archive }: Pick<ServerDeps, 'archive'>,
): CallerSchedule {
  const { caller } = request;
  const signal = hangUpSignal(request);
  // Absent on routes that are limited by IP address only.
  const name = caller ? `key:${caller.key.id}` : `${ADDRESS_PREFIX}${clientOf(request.ip)}`;
  return archive.forCaller({ name, isPublic: !caller, signal });
}

/** Aborts when the connection of a request closes, also when it is closed already. */
export function hangUpSignal({ raw, signal }: FastifyRequest): AbortSignal {
  // `request.signal` aborts when the body of a request was read.
  if (raw.readableEnded) return closeSignal(raw.socket);
  // It does not abort for a connection that closed before its first use.
  return raw.destroyed ? AbortSignal.abort() : signal;
}

const closeSignals = new WeakMap<Socket, AbortSignal>();

/** One for all requests of a connection, so that a kept one does not collect listeners. */
function closeSignal(socket: Socket): AbortSignal {
  if (socket.destroyed) return AbortSignal.abort();
  const known = closeSignals.get(socket);
  if (known !== undefined) return known;
  const closing = new AbortController();
  socket.once('close', () => closing.abort());
  closeSignals.set(socket, closing.signal);
  return closing.signal;
}

/**
 * A page takes about a millisecond of the event loop, and memory that is collected later. Dozens are made again after an alert: shorter
 * pauses between them would let callers of the API wait for several.
 */
const PAGE_EVERY_MS = 8;

let lastPageStart: Promise<unknown> = Promise.resolve();

/** Makes a public page or feed when its address is served next, in a turn of the event loop in which no other is begun. */
export function schedulePage<Made>(
  request: FastifyRequest,
  deps: Pick<ServerDeps, 'archive'>,
  make: (schedule: CallerSchedule) => Promise<Made>,
): Promise<Made> {
  const schedule = scheduleOf(request, deps);
  return schedule.pages(async () => {
    lastPageStart = lastPageStart.then(() => sleep(PAGE_EVERY_MS));
    await lastPageStart;
    return make(schedule);
  });
}
