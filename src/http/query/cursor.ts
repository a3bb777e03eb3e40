import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { AlertFilter } from '../../core/alerts/alert-store.ts';
import { parameter } from '../schemas/fields.ts';
import { queryInteger } from './query-values.ts';

const MAX_ID = Number.MAX_SAFE_INTEGER;

export const beforeShape = {
  before_id: parameter(
    queryInteger({ min: 1, max: MAX_ID }),
    'Only alerts with a smaller id, newest first. For the next page, send the last id of this page, or follow `Link`.',
    4821,
  ),
};

export const cursorShape = {
  ...beforeShape,
  since_id: parameter(
    queryInteger({ min: 0, max: MAX_ID }),
    'Only alerts with a larger id, oldest first: a client that sends the last id it has reads each alert once, in order. With `before_id`, only those in between.',
    4800,
  ),
};

interface CursorQuery {
  readonly before_id?: number | undefined;
  readonly since_id?: number | undefined;
}

export function hasCursor({ before_id, since_id }: CursorQuery): boolean {
  return before_id !== undefined || since_id !== undefined;
}

export function cursorFilter({ before_id, since_id }: CursorQuery): AlertFilter {
  return {
    ...(before_id !== undefined && { beforeId: before_id }),
    ...(since_id !== undefined && { afterId: since_id }),
  };
}

/** Values of the query that another page has in place of those of the request; null removes one. */
type Replaced = Readonly<Record<string, string | number | null>>;

/** Names the next page in `Link` (RFC 8288), if there is one. Of the query only names of `known` are kept: another may be a key. */
export function linkNext(request: FastifyRequest, reply: FastifyReply, known: object, next: Replaced | null) {
  if (next !== null) linkPages(request, reply, known, { next });
}

export function linkPages(
  { url, params, routeOptions }: FastifyRequest,
  reply: FastifyReply,
  known: object,
  pages: Readonly<Partial<Record<'next' | 'prev' | 'first', Replaced>>>,
): void {
  const given = params as Readonly<Record<string, string>>;
  const path = routeOptions.url?.replace(/:(\w+)/g, (_all, name) => encodeURIComponent(given[name] ?? ''));
  const links = Object.entries(pages).map(([rel, replaced]) => {
    const query = new URLSearchParams(url.split('?').slice(1).join('?'));
    for (const name of [...query.keys()]) if (!Object.hasOwn(known, name)) query.delete(name);
    for (const [name, value] of Object.entries(replaced)) {
      if (value === null) query.delete(name);
      else query.set(name, String(value));
    }
    return `<${path}?${query}>; rel="${rel}"`;
  });
  if (links.length > 0) reply.header('link', links.join(', '));
}

/** The cursor of a sequence that is numbered without a gap. `number`: of its example. */
export function afterNumber(number: number) {
  return queryInteger({ min: 0, max: MAX_ID })
    .default(0)
    .meta({ description: 'The last number you have; 0 for the beginning.', examples: [number - 1] });
}

/** The parameters of one event of such a sequence. */
export function numberParams(event: string, number: number) {
  const description = `Number of the ${event}.`;
  return z.object({
    number: queryInteger({ min: 1, max: MAX_ID }).meta({ description, examples: [number] }),
  });
}
