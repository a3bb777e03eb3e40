import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { globalRegistry, ZodDefault, ZodType, ZodUndefined } from 'zod';
import { API_INFO, API_TAGS, SECURITY_SCHEMES } from './api-info.ts';
import { DELIVERY_REQUESTS } from './delivery-request.ts';
import { finishDocument } from './finish-document.ts';
import type { ApiDocument } from './openapi-types.ts';

const toJsonSchema = createJsonSchemaTransform({ zodToJsonConfig: { override: restore } });
const nameSchemas = createJsonSchemaTransformObject({ zodToJsonConfig: { override: restore } });

/** Describes every tagged route registered after this call. The document is made on first use, so that it does not delay the start. */
export function describeApi(app: FastifyInstance): () => ApiDocument {
  app.register(swagger, {
    openapi: {
      openapi: '3.1.1',
      info: API_INFO,
      servers: [{ url: '/' }],
      tags: API_TAGS,
      security: [{ bearerAuth: [] }],
      components: { securitySchemes: SECURITY_SCHEMES },
    },
    hideUntagged: true,
    transform: toJsonSchema,
    transformObject: nameSchemas,
  });
  let document: ApiDocument | null = null;
  return () => {
    document ??= finishDocument({
      ...(app.swagger() as unknown as ApiDocument),
      webhooks: DELIVERY_REQUESTS,
    });
    return document;
  };
}

/** Zod omits the default and the examples of transformed schemas, and cannot express "no body". */
function restore({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: object }): void {
  if (zodSchema instanceof ZodUndefined) Object.assign(jsonSchema, { type: 'null' });
  if (zodSchema instanceof ZodDefault) Object.assign(jsonSchema, { default: zodSchema.def.defaultValue });
  const examples = zodSchema instanceof ZodType ? globalRegistry.get(zodSchema)?.['examples'] : undefined;
  if (examples !== undefined) Object.assign(jsonSchema, { examples });
}
