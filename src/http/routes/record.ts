import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendUnavailable } from '../hooks/refuse.ts';
import type { Api, ServerDeps } from '../server-deps.ts';
import { notModifiedReply } from '../views/ready-answer.ts';
import { type RecordAnswers, recordSchema } from '../views/record-report-view.ts';

const RETRY_SECONDS = 60;
const ABOUT =
  'Made every hour, and in a replay whenever it has changed, of the alerts that free keys see and all results so far. Before the first alert it says so.';

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
  return (request: FastifyRequest, reply: FastifyReply): undefined | Promise<void> => {
    const answers = record.read();
    if (answers !== null) return answers[form].send(request, reply);
    void sendUnavailable(reply, RETRY_SECONDS);
    return undefined;
  };
}
