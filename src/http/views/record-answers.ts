import type { EpochMs } from '../../core/base/time/duration.ts';
import { recordCsv } from '../../core/record/record-csv.ts';
import type { RecordReport } from '../../core/record/record-report.ts';
import { ReadyAnswer } from './ready-answer.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const CSV_TYPE = 'text/csv; charset=utf-8; header=present';
const PUBLIC = 'public, max-age=300';

/** The record as each route sends it. */
export interface RecordAnswers {
  readonly json: ReadyAnswer;
  readonly csv: ReadyAnswer;
  /** For callers with a key. */
  readonly keyed: ReadyAnswer;
  /** What they say. */
  readonly report: RecordReport;
}

/** `text`: JSON of the `RecordReport`. `madeAt`: null when it only says that nothing is measured yet. */
export function recordAnswers(text: string, madeAt: EpochMs | null): RecordAnswers {
  const headers: Record<string, string> =
    madeAt === null ? {} : { 'last-modified': new Date(madeAt).toUTCString() };
  const open = { cacheControl: PUBLIC, vary: 'origin', headers };
  const report = JSON.parse(text) as RecordReport;
  return {
    report,
    json: new ReadyAnswer(text, { ...open, contentType: JSON_TYPE }),
    csv: new ReadyAnswer(recordCsv(report), { ...open, contentType: CSV_TYPE }),
    keyed: new ReadyAnswer(text, {
      contentType: JSON_TYPE,
      cacheControl: 'private, no-cache',
      vary: 'authorization',
      headers,
    }),
  };
}
