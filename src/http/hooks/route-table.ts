import type { FastifyInstance } from 'fastify';

export interface Route {
  readonly method: string;
  /** With prefix and parameters, for example `/api/v1/alerts/:id`. */
  readonly url: string;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** All routes, once the server is ready. */
    readonly routeTable: readonly Route[];
  }
}

/** Records the routes registered after this call. */
export function trackRoutes(app: FastifyInstance): readonly Route[] {
  const routes: Route[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    for (const name of [method].flat()) routes.push({ method: name, url });
  });
  app.decorate('routeTable', routes);
  return routes;
}
