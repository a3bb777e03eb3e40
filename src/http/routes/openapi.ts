import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { createDocumentHandler } from '../documents/document-handler.ts';
import type { ApiDocument } from '../documents/openapi-types.ts';
import { notModifiedReply } from '../schemas/replies.ts';

const documentSchema = z
  .looseObject({ openapi: z.string(), info: z.looseObject({ title: z.string(), version: z.string() }) })
  .meta({
    description: 'An OpenAPI 3.1 document.',
    examples: [{ openapi: '3.1.1', info: { title: 'Tipoff', version: '1.0' } }],
  });

export function registerOpenapi(app: FastifyInstance, describe: () => ApiDocument): void {
  app.get('/openapi.json', {
    schema: {
      operationId: 'getApiDescription',
      tags: ['Documents'],
      summary: 'This description',
      description: 'The OpenAPI document of this API. Public.',
      security: [],
      response: { 200: documentSchema, ...notModifiedReply },
    },
    handler: createDocumentHandler(describe),
  });
}
