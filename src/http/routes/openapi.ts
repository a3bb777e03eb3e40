import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ApiDocument } from '../documents/describe-api.ts';
import { describeStream } from '../documents/describe-stream.ts';
import { llmsText } from '../documents/llms-text.ts';
import { jsonAnswer, notModifiedReply, ReadyAnswer } from '../views/ready-answer.ts';

const CACHE_CONTROL = 'public, max-age=300';

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
  app.get('/openapi.json', {
    schema: {
      operationId: 'getApiDescription',
      tags: ['Documents'],
      summary: 'This description',
      description: 'The OpenAPI document of this API. Public.',
      security: [],
      response: { 200: openapi, ...notModifiedReply },
    },
    handler: answerOnce(() => jsonAnswer(JSON.stringify(describe()), CACHE_CONTROL)),
  });
  app.get('/asyncapi.json', {
    schema: {
      operationId: 'getStreamDescription',
      tags: ['Documents'],
      summary: 'Description of the stream',
      description: 'The AsyncAPI document of the WebSocket stream. Public.',
      security: [],
      response: { 200: asyncapi, ...notModifiedReply },
    },
    handler: answerOnce(() => jsonAnswer(JSON.stringify(describeStream()), CACHE_CONTROL)),
  });
}

export function registerLlms(app: FastifyInstance, describe: () => ApiDocument): void {
  const options = { contentType: 'text/plain; charset=utf-8', cacheControl: CACHE_CONTROL, vary: 'origin' };
  app.get(
    '/llms.txt',
    answerOnce(() => new ReadyAnswer(llmsText(describe()), options)),
  );
}

/** Answers with what is made on first use, so that it does not delay the start. */
function answerOnce(make: () => ReadyAnswer) {
  let answer: ReadyAnswer | null = null;
  return (request: FastifyRequest, reply: FastifyReply) => {
    answer ??= make();
    return answer.send(request, reply);
  };
}
