import type { FastifyInstance } from 'fastify';

/** For a scope whose routes read no body: many clients name a content type with every request, and send nothing. */
export function ignoreBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
}
