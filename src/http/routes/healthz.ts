import type { FastifyInstance } from 'fastify';

/** Liveness: the process runs. `/readyz` shows whether it can serve. */
export function registerHealthz(app: FastifyInstance): void {
  app.get('/healthz', () => ({ status: 'ok' }));
}
