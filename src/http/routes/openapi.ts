import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { describeStream } from '../documents/describe-stream.ts';
import type { ApiDocument } from '../documents/openapi-types.ts';
import { jsonAnswer, notModifiedReply, type ReadyAnswer } from '../views/ready-answer.ts';

const info = z.looseObject({ title: z.string(), version: z.string() });

export function registerOpenapi(app: FastifyInstance, describe: () => ApiDocument): void {
  registerDocument(app, {
    path: '/openapi.json',
    operationId: 'getApiDescription',
    summary: 'This description',
    description: 'The OpenAPI document of this API. Public.',
    schema: z.looseObject({ openapi: z.string(), info }).meta({
      description: 'An OpenAPI 3.1 document.',
      examples: [{ openapi: '3.1.1', info: { title: 'Tipoff', version: '1.0' } }],
    }),
    describe,
  });
}

export function registerAsyncapi(app: FastifyInstance): void {
  registerDocument(app, {
    path: '/asyncapi.json',
    operationId: 'getStreamDescription',
    summary: 'Description of the stream',
    description: 'The AsyncAPI document of the WebSocket stream. Public.',
    schema: z.looseObject({ asyncapi: z.string(), info }).meta({
      description: 'An AsyncAPI 3.0 document.',
      examples: [{ asyncapi: '3.0.0', info: { title: 'Tipoff stream', version: '1.0' } }],
    }),
    describe: describeStream,
  });
}

interface DocumentRoute {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly schema: z.ZodType;
  readonly describe: () => object;
}

/** Answers with a JSON document that is made on first use, so that it does not delay the start. */
function registerDocument(
  app: FastifyInstance,
  { path, describe, schema, ...operation }: DocumentRoute,
): void {
  let answer: ReadyAnswer | null = null;
  app.get(path, {
    schema: {
      ...operation,
      tags: ['Documents'],
      security: [],
      response: { 200: schema, ...notModifiedReply },
    },
    async handler(request, reply): Promise<void> {
      answer ??= jsonAnswer(JSON.stringify(describe()), 'public, max-age=300');
      return answer.send(request, reply);
    },
  });
}
