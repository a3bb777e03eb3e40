import { compileRecord } from '../../src/core/record/compile-record.ts';
import { REQUEST } from './records.ts';

/** JSON of the record without an alert. */
export function emptyRecord(): string {
  return JSON.stringify(compileRecord([], REQUEST));
}
