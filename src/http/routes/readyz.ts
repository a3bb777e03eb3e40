import type { FastifyInstance } from 'fastify';
import type { ServerDeps } from '../server-deps.ts';

const RETRY_SECONDS = 1;

export function registerReadyz(
  app: FastifyInstance,
  { readiness, logger }: Pick<ServerDeps, 'readiness' | 'logger'>,
): void {
  let asking: ReturnType<ServerDeps['readiness']> | null = null;
  // Those who ask at once share one answer.
  const askOnce = () => {
    asking ??= readiness().finally(() => {
      asking = null;
    });
    return asking;
  };
  app.get('/readyz', async (request, reply) => {
    const state = await askOnce().catch((error: unknown) => {
      logger.error({ err: error, requestId: request.id }, 'readiness cannot be told');
      return { ready: false, checks: {} };
    });
    if (!state.ready) reply.code(503).header('retry-after', RETRY_SECONDS);
    return state;
  });
}
