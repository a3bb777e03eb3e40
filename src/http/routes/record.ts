import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { EpochMs } from '../../core/base/time/duration.ts';
import { recordCsv } from '../../core/record/record-csv.ts';
import type { RecordReport } from '../../core/record/record-report.ts';
import { sendUnavailable } from '../hooks/refuse.ts';
import type { Api, ServerDeps } from '../server-deps.ts';
import { notModifiedReply, ReadyAnswer } from '../views/ready-answer.ts';
import { recordSchema } from '../views/record-report-view.ts';

const RETRY_SECONDS = 60;
const ABOUT =
  'Made each hour from what was public 5 minutes before. Before the first alert it has no periods and says so.';
const JSON_TYPE = 'application/json; charset=utf-8';
const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

const tags = ['Record'];
const response = { 200: recordSchema, ...notModifiedReply };

const csvSchema = z.string().meta({
  id: 'RecordTable',
  description: 'One row per month and figure (RFC 4180), with the names of the columns in the first.',
  examples: [
    'rule_version,stage,month,figure,alerts,events,mean\r\n3,plan,2027-01,won_minus_price,41,18,-0.012\r\n',
  ],
});

export interface RecordAnswers {
  readonly json: ReadyAnswer;
  readonly csv: ReadyAnswer;
  /** For callers with a key. */
  readonly keyed: ReadyAnswer;
  readonly report: RecordReport;
}

/** `text`: JSON of the `RecordReport`. `madeAt`: null when it only says that nothing is measured yet. */
export function recordAnswers(text: string, madeAt: EpochMs | null): RecordAnswers {
  const headers: Record<string, string> =
    madeAt === null ? {} : { 'last-modified': new Date(madeAt).toUTCString() };
  const open = { cacheControl: 'public, max-age=300', vary: 'origin', headers };
  const keyed = { cacheControl: 'private, no-cache', vary: 'authorization', headers };
  const report = JSON.parse(text) as RecordReport;
  return {
    report,
    json: new ReadyAnswer(text, { ...open, contentType: JSON_TYPE }),
    csv: new ReadyAnswer(recordCsv(report), { ...open, contentType: CSV_TYPE }),
    keyed: new ReadyAnswer(text, { ...keyed, contentType: JSON_TYPE }),
  };
}

export function registerRecordFiles(app: FastifyInstance, deps: ServerDeps): void {
  const description = `Public: no key is needed. ${ABOUT}`;
  app.get('/record.json', {
    schema: {
      operationId: 'getPublicRecord',
      tags,
      summary: 'What the alerts were worth',
      description,
      security: [],
      response,
    },
    handler: answerWith(deps, 'json'),
  });
  app.get('/record.csv', {
    schema: {
      operationId: 'getRecordTable',
      tags,
      summary: 'The months of the record as a table',
      description,
      security: [],
      response: {
        200: { description: 'The table.', content: { 'text/csv': { schema: csvSchema } } },
        ...notModifiedReply,
      },
    },
    handler: answerWith(deps, 'csv'),
  });
}

export function registerRecord(app: Api, deps: ServerDeps): void {
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
