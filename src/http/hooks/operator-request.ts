import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { OperatorDeps } from '../server-deps.ts';
import { isLoopback } from './client-address.ts';

/** Whether a request is from this machine, or has the token of the operator. */
export function createOperatorCheck({
  metricsToken,
  ownHosts = [],
}: Pick<OperatorDeps, 'metricsToken' | 'ownHosts'>) {
  const own = new Set(ownHosts.map(hostnameOf));
  const isOwnHost = (host: string) => LOOPBACK_HOST.test(host) || own.has(host);
  return (request: FastifyRequest): boolean => {
    // A page of another origin can reach this machine under its own name (DNS rebinding).
    if (isLocal(request) && isOwnHost(hostnameOf(request.headers.host ?? ''))) return true;
    return hasToken(request, metricsToken);
  };
}

/** The name or address, without the port, in its usual spelling; empty if there is none. */
function hostnameOf(host: string): string {
  return URL.parse(`http://${host}`)?.hostname ?? '';
}

function hasToken({ headers }: FastifyRequest, token: string | null): boolean {
  if (token === null) return false;
  return timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${token}`));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

const LOOPBACK_HOST = /^(localhost|127(\.\d+){3}|\[::1\])$/;
const FORWARDED = /^(x-forwarded-.+|forwarded|x-real-ip|via|cf-connecting-ip)$/;

/** A reverse proxy connects from loopback too, but adds headers. */
function isLocal({ socket, headers }: Pick<FastifyRequest, 'socket' | 'headers'>): boolean {
  const isForwarded = Object.keys(headers).some((name) => FORWARDED.test(name));
  return !isForwarded && isLoopback(socket.remoteAddress);
}
