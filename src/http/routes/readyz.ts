import type { FastifyInstance } from 'fastify';
import { isLocal } from '../hooks/is-local.ts';
import type { ServerDeps } from '../server-deps.ts';

const RETRY_SECONDS = 1;

export function registerReadyz(
  app: FastifyInstance,
  { readiness, logger }: Pick<ServerDeps, 'readiness' | 'logger'>,
): void {
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
