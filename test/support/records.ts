import { DEFAULT_RULES } from '../../src/core/detection/rules.ts';
import type { RecordRequest } from '../../src/core/record/make-record.ts';
import { START } from './rows.ts';

export const REQUEST: RecordRequest = {
  asOf: START,
  mapping: null,
  publishedUntil: START,
  rules: { version: DEFAULT_RULES.version, sha256: '0'.repeat(64) },
  plan: DEFAULT_RULES.record,
};
