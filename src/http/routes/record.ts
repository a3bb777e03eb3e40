import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { sendUnavailable } from '../hooks/errors.ts';
import type { Api, ServerDeps } from '../server-deps.ts';
import { notModifiedReply } from '../views/ready-answer.ts';
import type { RecordAnswers } from '../views/record-answers.ts';
import { recordSchema } from '../views/record-report-view.ts';

const RETRY_SECONDS = 60;
const ABOUT =
  'Made each hour from what was public 5 minutes before. Before the first alert it has no periods and says so.';

const csvSchema = z.string().meta({
  id: 'RecordTable',
  description: 'One row per month and figure (RFC 4180), with the names of the columns in the first.',
  examples: [
    'rule_version,stage,month,figure,alerts,events,mean\r\n3,plan,2027-01,won_minus_price,41,18,-0.012\r\n',
  ],
});

/** The record for all callers: the whole of it, and its months as a table. */
export function registerRecordFiles(app: FastifyInstance, deps: ServerDeps): void {
  app.get('/record.json', {
    schema: {
      operationId: 'getPublicRecord',
      tags: ['Record'],
      summary: 'What the alerts were worth',
      description: `Public: no key is needed. ${ABOUT}`,
      security: [],
      response: { 200: recordSchema, ...notModifiedReply },
    },
    handler: answerWith(deps, 'json'),
  });
  app.get('/record.csv', {
    schema: {
      operationId: 'getRecordTable',
      tags: ['Record'],
      summary: 'The months of the record as a table',
      description: `Public: no key is needed. ${ABOUT}`,
      security: [],
      response: {
        200: { description: 'The table.', content: { 'text/csv': { schema: csvSchema } } },
        ...notModifiedReply,
      },
    },
    handler: answerWith(deps, 'csv'),
  });
}

/** The same record under the prefix, with a key. */
export function registerRecord(app: Api, deps: ServerDeps): void {
  app.get('/record', {
    schema: {
      operationId: 'getRecord',
      tags: ['Record'],
      summary: 'What the alerts were worth',
      description: `The same as \`/record.json\` at the root of the host, for callers with a key. ${ABOUT}`,
      response: { 200: recordSchema, ...notModifiedReply },
    },
    handler: answerWith(deps, 'keyed'),
  });
}

function answerWith({ record }: Pick<ServerDeps, 'record'>, form: Exclude<keyof RecordAnswers, 'report'>) {
  return (request: FastifyRequest, reply: FastifyReply): undefined | Promise<void> => {
    const answers = record.read();
    if (answers !== null) return answers[form].send(request, reply);
    void sendUnavailable(reply, RETRY_SECONDS);
    return undefined;
  };
}
