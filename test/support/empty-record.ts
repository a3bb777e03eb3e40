import { compileRecord } from '../../src/core/record/compile-record.ts';
import { REQUEST } from './records.ts';

export function emptyRecord(): string {
  return JSON.stringify(compileRecord([], REQUEST));
}
