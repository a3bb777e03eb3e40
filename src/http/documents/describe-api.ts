import type { FastifyInstance, RouteOptions } from 'fastify';
import { withFreeDelay } from '../../core/alerts/free-delay.ts';
import { filterValueSchema } from '../query/filter-values.ts';
import { JsonSchemas } from '../schemas/json-schema.ts';
import { API_INFO, API_TAGS, BEARER_AUTH } from './api-info.ts';
import { describeDeliveries } from './describe-deliveries.ts';
import { described, describeOperation } from './describe-operation.ts';
import type { Operation } from './openapi-types.ts';
import { HEADERS, sharedAnswers } from './shared-answers.ts';

export type ApiDocument = ReturnType<typeof documentOf>;

/** Describes every tagged route registered after this call, with the free delay of the service. The document is made on first use, so that it does not delay the start. */
export function describeApi(app: FastifyInstance, freeDelayMs: number): () => ApiDocument {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    if (route.schema?.tags !== undefined && route.method !== 'HEAD') routes.push(route);
  });
  let document: ApiDocument | null = null;
  return () => {
    document ??= withFreeDelay(documentOf(routes), freeDelayMs);
    return document;
  };
}

function documentOf(routes: readonly RouteOptions[]) {
  const schemas = new JsonSchemas();
  // Only patterns of filters refer to it, which are JSON.
  schemas.of(filterValueSchema, 'output');
  const paths: Record<string, Record<string, Operation>> = {};
  for (const { url, schema = {}, ...route } of routes) {
    const path = url.replaceAll(/:(\w+)/g, '{$1}');
    const method = String(route.method).toLowerCase();
    paths[path] = { ...paths[path], [method]: describeOperation(method, schema, schemas) };
  }
  const webhooks = describeDeliveries(schemas);
  const responses = sharedAnswers(schemas);
  const headers = Object.entries(schemas.ofShape(HEADERS, 'output')).map(
    ([name, header]) => [name, described(header)] as const,
  );
  const components = Object.entries(schemas.components).sort(([a], [b]) => a.localeCompare(b));
  return {
    openapi: '3.1.1',
    info: API_INFO,
    paths,
    servers: [{ url: '/' }],
    security: [{ bearerAuth: [] }],
    tags: API_TAGS,
    webhooks,
    components: {
      securitySchemes: { bearerAuth: BEARER_AUTH },
      schemas: Object.fromEntries(components),
      headers: Object.fromEntries(headers),
      responses,
    },
  };
}
