import type { FastifyReply, FastifyRequest } from 'fastify';
import { ReadyAnswer } from '../views/ready-answer.ts';

/** Answers with a JSON document that is made on first use, so that it does not delay the start. */
export function createDocumentHandler(describe: () => object) {
  let answer: ReadyAnswer | null = null;
  return (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    answer ??= new ReadyAnswer(JSON.stringify(describe()), {
      contentType: 'application/json; charset=utf-8',
      cacheControl: 'public, max-age=300',
      vary: 'origin',
    });
    return answer.send(request, reply);
  };
}
