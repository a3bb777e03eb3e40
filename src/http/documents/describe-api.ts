import type { FastifyInstance, FastifySchema } from 'fastify';
import { withFreeDelay } from '../../core/alerts/free-delay.ts';
import { filterValueSchema } from '../query/filter-values.ts';
import type { ServerDeps } from '../server-deps.ts';
import { API_INFO, API_TAGS, SECURITY_SCHEMES } from './api-info.ts';
import { ComponentSchemas } from './component-schemas.ts';
import { describeDeliveries } from './describe-deliveries.ts';
import { describeOperation } from './describe-operation.ts';
import type { ApiDocument, Operation } from './openapi-types.ts';
import { HEADERS, sharedAnswers } from './shared-answers.ts';

interface DescribedRoute {
  readonly method: string;
  readonly url: string;
  readonly schema: FastifySchema;
}

/** Describes every tagged route registered after this call, with the free delay of the service. The document is made on first use, so that it does not delay the start. */
export function describeApi(
  app: FastifyInstance,
  { freeDelayMs }: Pick<ServerDeps, 'freeDelayMs'>,
): () => ApiDocument {
  const routes: DescribedRoute[] = [];
  app.addHook('onRoute', ({ method, url, schema }) => {
    if (schema?.tags !== undefined && method !== 'HEAD') routes.push({ method: String(method), url, schema });
  });
  let document: ApiDocument | null = null;
  return () => {
    document ??= withFreeDelay(documentOf(routes), freeDelayMs);
    return document;
  };
}

function documentOf(routes: readonly DescribedRoute[]): ApiDocument {
  const schemas = new ComponentSchemas();
  // Only patterns of filters refer to it, which are JSON.
  schemas.add(filterValueSchema, 'output');
  const paths: Record<string, Record<string, Operation>> = {};
  for (const { method, url, schema } of routes) {
    const path = url.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeOperation(schema, schemas) };
  }
  const webhooks = describeDeliveries(schemas);
  const responses = sharedAnswers(schemas);
  return {
    openapi: '3.1.1',
    info: API_INFO,
    paths,
    servers: [{ url: '/' }],
    security: [{ bearerAuth: [] }],
    tags: API_TAGS,
    webhooks,
    components: {
      securitySchemes: { bearerAuth: SECURITY_SCHEMES.bearerAuth },
      schemas: schemas.sorted(),
      headers: HEADERS,
      responses,
    },
  };
}
