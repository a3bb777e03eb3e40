import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ServerDeps } from '../server-deps.ts';

const RETRY_SECONDS = 1;

export function registerReadyz(app: FastifyInstance, { readiness, logger }: ServerDeps): void {
  let asking: ReturnType<ServerDeps['readiness']> | null = null;
  // Concurrent requests share one answer.
  const askOnce = () => {
    asking ??= readiness().finally(() => {
      asking = null;
    });
    return asking;
  };
  app.get('/readyz', async (request, reply) => {
    const state = await askOnce().catch((error: unknown) => {
      logger.error({ err: error, requestId: request.id }, 'readiness check failed');
      return { ready: false, checks: {} };
    });
    if (!state.ready) reply.code(503).header('retry-after', RETRY_SECONDS);
    return isLocal(request) ? state : withoutDetails(state);
  });
}

/** The `details` of a check are for callers on this machine. */
function withoutDetails({ ready, checks }: Awaited<ReturnType<ServerDeps['readiness']>>) {
  const kept = Object.entries(checks).map(([name, check]) => {
    if (typeof check !== 'object' || check === null || !('details' in check)) return [name, check];
    const { details, ...others } = check;
    return [name, others];
  });
  return { ready, checks: Object.fromEntries(kept) };
}

/** Liveness: the process runs. `/readyz` shows whether it can serve. */
export function registerHealthz(app: FastifyInstance): void {
  app.get('/healthz', () => ({ status: 'ok' }));
}

/** For processes on this machine, and for callers with the token. */
export function registerMetrics(app: FastifyInstance, { metrics, metricsToken }: ServerDeps): void {
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

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;
const FORWARDED = /^(x-forwarded-.+|forwarded|x-real-ip|via|cf-connecting-ip)$/;

/** Whether the request is from this machine. A reverse proxy connects from loopback too, but adds headers. */
function isLocal({ socket, headers }: Pick<FastifyRequest, 'socket' | 'headers'>): boolean {
  const isForwarded = Object.keys(headers).some((name) => FORWARDED.test(name));
  return !isForwarded && LOOPBACK.test(socket.remoteAddress ?? '');
}
