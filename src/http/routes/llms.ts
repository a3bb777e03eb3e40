import type { FastifyInstance } from 'fastify';
import { llmsText } from '../documents/llms-text.ts';
import type { ApiDocument } from '../documents/openapi-types.ts';
import { ReadyAnswer } from '../views/ready-answer.ts';

/** The description of the API in the format of llmstxt.org. */
export function registerLlms(app: FastifyInstance, describe: () => ApiDocument): void {
  let answer: ReadyAnswer | null = null;
  app.get('/llms.txt', (request, reply) => {
    answer ??= new ReadyAnswer(llmsText(describe()), {
      contentType: 'text/plain; charset=utf-8',
      cacheControl: 'public, max-age=300',
      vary: 'origin',
    });
    return answer.send(request, reply);
  });
}
