import type { FastifyInstance } from 'fastify';
import type { ServerDeps } from '../server-deps.ts';

const RETRY_SECONDS = 1;

export function registerReadyz(
  app: FastifyInstance,
  { readiness, logger }: Pick<ServerDeps, 'readiness' | 'logger'>,
): void {
  app.get('/readyz', async (request, reply) => {
    const state = await readiness().catch((error: unknown) => {
      logger.error({ err: error, requestId: request.id }, 'readiness cannot be told');
      return { ready: false, checks: {} };
    });
    if (!state.ready) reply.code(503).header('retry-after', RETRY_SECONDS);
    return state;
  });
}
