import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isLocal } from '../hooks/is-local.ts';
import type { ServerDeps } from '../server-deps.ts';

/** For processes on this machine, and for callers with the token. */
export function registerMetrics(
  app: FastifyInstance,
  { metrics, metricsToken }: Pick<ServerDeps, 'metrics' | 'metricsToken'>,
): void {
  app.get('/metrics', async (request, reply) => {
    if (!isLocal(request) && !hasToken(request, metricsToken)) {
      reply.code(401).header('www-authenticate', 'Bearer');
      return { detail: 'Metrics are available from loopback, or with METRICS_TOKEN as a bearer token.' };
    }
    reply.header('content-type', metrics.contentType);
    return metrics.render();
  });
}

function hasToken({ headers }: FastifyRequest, token: string | null): boolean {
  if (token === null) return false;
  return timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${token}`));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
