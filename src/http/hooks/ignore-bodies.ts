import type { FastifyInstance } from 'fastify';

/** For routes without a body: many clients send a content type with every request, and no body. */
export function ignoreBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
}
