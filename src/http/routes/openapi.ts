import type { FastifyInstance, FastifySchema } from 'fastify';
import { z } from 'zod';
import { describeStream } from '../documents/describe-stream.ts';
import type { ApiDocument } from '../documents/openapi-types.ts';
import { jsonAnswer, notModifiedReply, type ReadyAnswer } from '../views/ready-answer.ts';

const info = z.looseObject({ title: z.string(), version: z.string() });
const openapi = z.looseObject({ openapi: z.string(), info }).meta({
  description: 'An OpenAPI 3.1 document.',
  examples: [{ openapi: '3.1.1', info: { title: 'Tipoff', version: '1.0' } }],
});
const asyncapi = z.looseObject({ asyncapi: z.string(), info }).meta({
  description: 'An AsyncAPI 3.0 document.',
  examples: [{ asyncapi: '3.0.0', info: { title: 'Tipoff stream', version: '1.0' } }],
});

export function registerDescriptions(app: FastifyInstance, describe: () => ApiDocument): void {
  registerDocument(app, '/openapi.json', describe, {
    operationId: 'getApiDescription',
    summary: 'This description',
    description: 'The OpenAPI document of this API. Public.',
    response: { 200: openapi, ...notModifiedReply },
  });
  registerDocument(app, '/asyncapi.json', describeStream, {
    operationId: 'getStreamDescription',
    summary: 'Description of the stream',
    description: 'The AsyncAPI document of the WebSocket stream. Public.',
    response: { 200: asyncapi, ...notModifiedReply },
  });
}

/** Answers with a JSON document that is made on first use, so that it does not delay the start. */
function registerDocument(
  app: FastifyInstance,
  path: string,
  describe: () => object,
  operation: FastifySchema,
): void {
  let answer: ReadyAnswer | null = null;
  app.get(path, { schema: { ...operation, tags: ['Documents'], security: [] } }, (request, reply) => {
    answer ??= jsonAnswer(JSON.stringify(describe()), 'public, max-age=300');
    return answer.send(request, reply);
  });
}
