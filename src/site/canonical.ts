import type { FastifyReply, FastifyRequest } from 'fastify';

/** Leads a request for another form of a page's address (case, zeros, a slash at the end) to its one address; answers the others. */
export function canonicalOr<Answer>(
  path: string,
  { url }: FastifyRequest,
  reply: FastifyReply,
  answer: () => Answer,
): Answer | undefined {
  const [given = '', query] = url.split('?', 2);
  if (given === path) return answer();
  reply.header('cache-control', 'public, max-age=86400');
  void reply.redirect(query === undefined ? path : `${path}?${query}`, 301);
  return undefined;
}
