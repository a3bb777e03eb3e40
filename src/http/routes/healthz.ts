import type { FastifyInstance } from 'fastify';

/** The process runs; whether it can serve is for `/readyz` to say. */
export function registerHealthz(app: FastifyInstance): void {
  app.get('/healthz', () => ({ status: 'ok' }));
}
