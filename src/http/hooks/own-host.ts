import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { isLoopback } from './client-address.ts';
import { refuse } from './refuse.ts';

const FORWARDED = /^(x-forwarded-.+|forwarded|x-real-ip|via|cf-connecting-ip)$/;

/** Whether a `Host`, with or without a port, is this machine's or one of `ownHosts`. */
export function createOwnHosts(ownHosts: readonly string[] = []): (host: string | undefined) => boolean {
  const own = new Set(ownHosts.map(hostnameOf));
  return (host = '') => {
    const name = hostnameOf(host);
    return name === 'localhost' || isLoopback(name) || own.has(name);
  };
}

/** The name or address, without the port, in its usual spelling; empty if there is none. */
function hostnameOf(host: string): string {
  return URL.parse(`http://${host}`)?.hostname ?? '';
}

/** A reverse proxy connects from loopback too, but adds headers. */
export function isLocal({ socket, headers }: Pick<FastifyRequest, 'socket' | 'headers'>): boolean {
  const isForwarded = Object.keys(headers).some((name) => FORWARDED.test(name));
  return !isForwarded && isLoopback(socket.remoteAddress);
}

/**
 * A page of another site that reaches this machine under a name of its own (DNS rebinding) has that name in `Host`, and browsers
 * send `Origin` with every POST. Both may name this machine or `ownHosts`; `Host` is checked only where no proxy is in between.
 */
export function refuseForeignPages(ownHosts: readonly string[] | undefined): onRequestHookHandler {
  const isOwn = createOwnHosts(ownHosts);
  return (request, reply, done) => {
    const { origin, host } = request.headers;
    const isOwnOrigin = origin === undefined || isOwn(URL.parse(origin)?.host);
    if (isOwnOrigin && (!isLocal(request) || isOwn(host))) done();
    else void refuse(reply, 'foreign_origin');
  };
}
