import { expect, test } from 'vitest';
import { rulesDraft, softwareDraft } from '../../../../src/core/alerts/ledger/log-drafts.ts';
import { DEFAULT_RULES } from '../../../../src/core/detection/rules.ts';

test('the log states which software and which rules run', () => {
  const software = { kind: 'software', subject: 'software', body: { version: '1.2.3' } };
  expect(softwareDraft('1.2.3')).toEqual(software);
  const body = { version: DEFAULT_RULES.version, sha256: 'hash' };
  expect(rulesDraft(DEFAULT_RULES, () => 'hash')).toEqual({ kind: 'rules', subject: 'rules', body });
});
