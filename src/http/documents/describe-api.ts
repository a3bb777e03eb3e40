import type { FastifyInstance } from 'fastify';
import { withFreeDelay } from '../../core/alerts/free-delay.ts';
import { filterValueSchema } from '../query/filter-values.ts';
import { JsonSchemas } from '../schemas/json-schema.ts';
import { API_INFO, API_TAGS, BEARER_AUTH } from './api-info.ts';
import { describeDeliveries } from './describe-deliveries.ts';
import { described, describeOperation } from './describe-operation.ts';
import type { Operation } from './openapi-types.ts';
import { HEADERS, sharedAnswers } from './shared-answers.ts';

export type ApiDocument = ReturnType<typeof documentOf>;

type Routes = FastifyInstance['routeTable'];

/** Describes the tagged routes, with the free delay of the service. The document is made on first use, so that it does not delay the start. */
export function describeApi(routes: Routes, freeDelayMs: number): () => ApiDocument {
  let document: ApiDocument | null = null;
  return () => {
    document ??= withFreeDelay(documentOf(routes), freeDelayMs);
    return document;
  };
}

function documentOf(routes: Routes) {
  const schemas = new JsonSchemas();
  // Only patterns of filters refer to it, which are JSON.
  schemas.of(filterValueSchema, 'output');
  const paths: Record<string, Record<string, Operation>> = {};
  for (const { method, url, schema } of routes) {
    if (schema?.tags === undefined || method === 'HEAD') continue;
    const path = url.replaceAll(/:(\w+)/g, '{$1}');
    const operation = describeOperation(method, schema, schemas);
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
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
