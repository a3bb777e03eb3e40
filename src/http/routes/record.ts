import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Api, ServerDeps } from '../server-deps.ts';
import { notModifiedReply } from '../views/ready-answer.ts';
import { type RecordAnswers, recordSchema } from '../views/record-report-view.ts';

const ABOUT =
  'Made every hour, and every 10 seconds while a tape is replayed, of the alerts and results that free keys see. Before the first alert it says so.';

const tags = ['Record'];
const response = { 200: recordSchema, ...notModifiedReply };

export function registerRecordFile(app: FastifyInstance, deps: ServerDeps): void {
  const description = `Public: no key is needed. ${ABOUT}`;
  app.get('/record.json', {
    schema: {
      operationId: 'getPublicRecord',
      tags,
      summary: 'What the alerts were worth, without a key',
      description,
      security: [],
      response,
    },
    handler: answerWith(deps, 'json'),
  });
}

export function registerKeyedRecord(app: Api, deps: ServerDeps): void {
  app.get('/record', {
    schema: {
      operationId: 'getRecord',
      tags,
      summary: 'What the alerts were worth',
      description: `The same as \`/record.json\` at the root of the host, for callers with a key. ${ABOUT}`,
      response,
    },
    handler: answerWith(deps, 'keyed'),
  });
}

function answerWith({ record }: ServerDeps, form: Exclude<keyof RecordAnswers, 'report'>) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const answers = await record.read();
    await answers[form].send(request, reply);
  };
}
