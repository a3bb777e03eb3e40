import { compileRecord } from '../../src/core/record/compile-record.ts';
import type { RecordReport } from '../../src/core/record/record-report.ts';
import { REQUEST } from './records.ts';

export function emptyRecord(): RecordReport {
  return compileRecord({ alerts: 0, counted: [] }, REQUEST);
}
