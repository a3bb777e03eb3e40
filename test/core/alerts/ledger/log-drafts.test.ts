import { expect, test } from 'vitest';
import { rulesDraft, softwareDraft, statementDraft } from '../../../../src/core/alerts/ledger/log-drafts.ts';
import { DEFAULT_RULES } from '../../../../src/core/detection/rules.ts';
import { START } from '../../../support/rows.ts';

test('a statement has a subject of its own; a lone surrogate in its reason is replaced, as JSON has none', () => {
  const plain = { number: 3, at: START, wallet: '0xw', alertId: null, reason: 'a\ud800b' };
  expect(statementDraft({ ...plain, kind: 'hide' })).toEqual({
    kind: 'annotation',
    subject: 'statement:3',
    body: { action: 'hide', number: 3, wallet: '0xw', reason: 'a\ufffdb' },
  });
  const withdrawal = { ...plain, kind: 'withdraw', wallet: null, alertId: 7, reason: null } as const;
  expect(statementDraft(withdrawal)).toEqual({
    kind: 'withdrawal',
    subject: 'statement:3',
    body: { alert_id: 7, number: 3, reason: null },
  });
});

test('the log states which software and which rules run', () => {
  expect(softwareDraft('1.2.3')).toEqual({
    kind: 'software',
    subject: 'software',
    body: { version: '1.2.3' },
  });
  const body = { version: DEFAULT_RULES.version, sha256: 'hash' };
  expect(rulesDraft(DEFAULT_RULES, () => 'hash')).toEqual({ kind: 'rules', subject: 'rules', body });
});
