import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { describeStream } from '../documents/describe-stream.ts';
import { type ReadyAnswer, readyAnswer, sendReady } from '../ready-answer.ts';
import { notModifiedReply } from '../replies.ts';

const documentSchema = z
  .looseObject({ asyncapi: z.string(), info: z.looseObject({ title: z.string(), version: z.string() }) })
  .meta({
    description: 'An AsyncAPI 3.0 document.',
    examples: [{ asyncapi: '3.0.0', info: { title: 'Tipoff stream', version: '1.0' } }],
  });

export function registerAsyncapi(app: FastifyInstance): void {
  let answer: ReadyAnswer | null = null;
  app.get('/asyncapi.json', {
    schema: {
      operationId: 'getStreamDescription',
      tags: ['Documents'],
      summary: 'Description of the stream',
      description: 'The AsyncAPI document of the WebSocket stream. Public.',
      security: [],
      response: { 200: documentSchema, ...notModifiedReply },
    },
    handler(request, reply) {
      answer ??= readyAnswer(JSON.stringify(describeStream()), {
        contentType: 'application/json; charset=utf-8',
        cacheControl: 'public, max-age=300',
        vary: 'origin',
      });
      sendReady(request, reply, answer);
    },
  });
}
