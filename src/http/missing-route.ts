import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Route } from './route-table.ts';
import type { ServerDeps } from './server-deps.ts';

/** Answers 405 with the methods that exist where only the method is wrong, 404 elsewhere. */
export function createMissingRouteHandler(
  routes: readonly Route[],
  { onAnswer }: Pick<ServerDeps, 'onAnswer'>,
) {
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const path = request.url.split('?', 1)[0] ?? '';
    const methods = routes.filter(({ url }) => matches(url, path)).map(({ method }) => method);
    onAnswer?.('none', methods.length === 0 ? 404 : 405, reply.elapsedTime);
    if (methods.length === 0) return reply.code(404).send({ detail: 'Not found.' });
    return reply
      .code(405)
      .header('allow', [...new Set(methods)].toSorted().join(', '))
      .send({ detail: 'Method not allowed.' });
  };
}

function matches(pattern: string, path: string): boolean {
  const parts = segments(pattern);
  const given = segments(path);
  return (
    parts.length === given.length &&
    parts.every((part, index) => part.startsWith(':') || part === given[index])
  );
}

function segments(path: string): string[] {
  return path.replace(/\/$/, '').split('/');
}
