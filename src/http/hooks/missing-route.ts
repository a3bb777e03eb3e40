import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import type { OperatorDeps } from '../server-deps.ts';
import { prefersPage } from './accept.ts';
import type { AudienceName } from './audience.ts';
import { refuse } from './refuse.ts';
import { preflightHeaders } from './security-headers.ts';

/** 405 if only the method is wrong, otherwise 404, for people with `sendPage`. `OPTIONS` lists the methods and needs no key. */
export function createMissingRouteHandler(
  routes: readonly Route[],
  { onAnswer }: OperatorDeps,
  sendPage?: (reply: FastifyReply) => void,
) {
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const path = request.url.split('?', 1)[0] ?? '';
    const given = segments(path);
    const methods = routes.filter((route) => matches(route, given)).map(({ method }) => method);
    const isOptions = request.method === 'OPTIONS';
    const status = methods.length === 0 ? 404 : isOptions ? 204 : 405;
    onAnswer?.('none', status, reply.elapsedTime);
    const isPreflight = isOptions && 'access-control-request-method' in request.headers;
    reply.code(status);
    if (isPreflight && status === 204) reply.headers(preflightHeaders(request.raw));
    if (status === 404 && sendPage !== undefined && isForPeople(request)) {
      sendPage(reply);
      return reply;
    }
    if (status === 404) return refuse(reply, 'path_not_found', adviceFor(path, routes));
    reply.header('allow', [...new Set([...methods, 'OPTIONS'])].toSorted().join(', '));
    return status === 204 ? reply.send() : refuse(reply, 'method_not_allowed');
  };
}

const API = '/api/v1';

export function isForPeople({
  method,
  url,
  headers,
}: Pick<FastifyRequest, 'method' | 'url' | 'headers'>): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && !url.startsWith('/api/') && prefersPage(headers.accept);
}

/** The usual mistake is a path without the prefix. Names the pattern, not what the client sent. */
function adviceFor(path: string, routes: readonly Route[]): string {
  const given = segments(API + path);
  const meant = routes.find((route) => route.url.startsWith(API) && matches(route, given));
  if (meant === undefined) return 'Not found. /docs describes every path.';
  const shown = meant.url.replaceAll(/:(\w+)/g, '{$1}');
  return `Not found. The path is ${shown}; API paths begin with ${API}. /docs describes every path.`;
}

function matches({ parts }: Route, given: readonly string[]): boolean {
  return parts.length === given.length && parts.every((part, index) => isSegment(part, given[index] ?? ''));
}

function isSegment(part: string, given: string): boolean {
  return part.startsWith(':') ? given.endsWith(part.replace(/^:\w+/, '')) : part === given;
}

function segments(path: string): string[] {
  return path.replace(/\/$/, '').split('/');
}

interface Route {
  readonly method: string;
  /** With prefix and parameters, for example `/api/v1/alerts/:id`. */
  readonly url: string;
  readonly schema: FastifySchema | undefined;
  readonly audience: AudienceName;
  readonly parts: readonly string[];
}

declare module 'fastify' {
  interface FastifyInstance {
    readonly routeTable: readonly Route[];
  }
}

/** Records the routes registered after this call, and refuses one whose scope has declared no audience. */
export function trackRoutes(app: FastifyInstance): readonly Route[] {
  const routes: Route[] = [];
  app.addHook('onRoute', function track({ method, url, schema }) {
    const { audience } = this;
    if (audience === undefined) throw new Error(`${url}: its scope declares no audience`);
    const parts = segments(url);
    for (const name of [method].flat()) routes.push({ method: name, url, schema, audience, parts });
  });
  app.decorate('routeTable', routes);
  return routes;
}
