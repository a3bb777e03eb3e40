import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { describeStream } from '../documents/describe-stream.ts';
import { createDocumentHandler } from '../documents/document-handler.ts';
import { notModifiedReply } from '../schemas/replies.ts';

const documentSchema = z
  .looseObject({ asyncapi: z.string(), info: z.looseObject({ title: z.string(), version: z.string() }) })
  .meta({
    description: 'An AsyncAPI 3.0 document.',
    examples: [{ asyncapi: '3.0.0', info: { title: 'Tipoff stream', version: '1.0' } }],
  });

export function registerAsyncapi(app: FastifyInstance): void {
  app.get('/asyncapi.json', {
    schema: {
      operationId: 'getStreamDescription',
      tags: ['Documents'],
      summary: 'Description of the stream',
      description: 'The AsyncAPI document of the WebSocket stream. Public.',
      security: [],
      response: { 200: documentSchema, ...notModifiedReply },
    },
    handler: createDocumentHandler(describeStream),
  });
}
