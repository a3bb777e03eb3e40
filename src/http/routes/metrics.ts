import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ServerDeps } from '../server-deps.ts';

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;

/** For a process on this machine, or whoever has the token. */
export function registerMetrics(
  app: FastifyInstance,
  { metrics, metricsToken }: Pick<ServerDeps, 'metrics' | 'metricsToken'>,
): void {
  app.get('/metrics', async (request, reply) => {
    if (!isLocal(request) && !hasToken(request, metricsToken)) {
      reply.code(401).header('www-authenticate', 'Bearer');
      return { detail: 'Metrics are for loopback, or for the bearer of METRICS_TOKEN.' };
    }
    reply.header('content-type', metrics.contentType);
    return metrics.render();
  });
}

const FORWARDED = /^(x-forwarded-.+|forwarded|x-real-ip|via|cf-connecting-ip)$/;

/** A reverse proxy on this machine comes from loopback too, but says for whom it asks. */
function isLocal({ socket, headers }: FastifyRequest): boolean {
  const isForwarded = Object.keys(headers).some((name) => FORWARDED.test(name));
  return !isForwarded && LOOPBACK.test(socket.remoteAddress ?? '');
}

function hasToken({ headers }: FastifyRequest, token: string | null): boolean {
  if (token === null) return false;
  return timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${token}`));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
