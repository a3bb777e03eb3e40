import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import type { ServerDeps } from '../server-deps.ts';
import { clientOf } from './client-address.ts';

/** Reads many alerts when it is the turn of the request's key, or of its address without a key; not after the connection closed. */
export function inTurn<Read>(
  request: FastifyRequest,
  { turns }: Pick<ServerDeps, 'turns'>,
  read: () => Promise<Read>,
): Promise<Read> {
  const { caller } = request;
  // Absent on routes that are limited by IP address only.
  const name = caller ? `key:${caller.key.id}` : `address:${clientOf(request.ip)}`;
  return turns.take(read, { name, isPublic: !caller, signal: hangUpSignal(request) });
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

/** A turn of the event loop is longer while other requests keep it busy: they come before the next page. */
const SHORT_TURN_MS = 2;
/** A page waits no longer than this for a short turn: a busy loop slows pages down and does not stop them. */
const WAIT_MAX_MS = 10;

let lastPageStart: Promise<unknown> = Promise.resolve();

/** Makes a public page or feed when its address is served next, after a short turn of the event loop in which no other was begun. */
export function pageInTurn<Made>(
  request: FastifyRequest,
  deps: Pick<ServerDeps, 'turns'>,
  make: () => Promise<Made>,
): Promise<Made> {
  return inTurn(request, deps, async () => {
    lastPageStart = lastPageStart.then(shortTurn);
    await lastPageStart;
    return make();
  });
}

/** Resolves after a turn of the event loop whose measured length shows that it has time for a page. */
async function shortTurn(): Promise<void> {
  const askedAt = performance.now();
  for (let turnedAt = askedAt; ; ) {
    await nextTurn();
    const now = performance.now();
    if (now - turnedAt <= SHORT_TURN_MS || now - askedAt >= WAIT_MAX_MS) return;
    turnedAt = now;
  }
}
