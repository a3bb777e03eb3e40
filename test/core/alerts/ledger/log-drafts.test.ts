import { expect, test } from 'vitest';
import {
  blindClosedDraft,
  blindOpenedDraft,
  rulesDraft,
  settlementDraft,
  softwareDraft,
  statementDraft,
} from '../../../../src/core/alerts/ledger/log-drafts.ts';
import { canonicalJson } from '../../../../src/core/base/text/canonical-json.ts';
import { DEFAULT_RULES } from '../../../../src/core/detection/rules.ts';
import { sha256 } from '../../../../src/infra/secrets/sha256.ts';
import { START } from '../../../support/rows.ts';

const iso = (at: number) => new Date(at).toISOString();

test('the versions of the software and of the rules have one subject each', () => {
  const software = { kind: 'software', subject: 'software', body: { version: '1.2.3' } };
  expect(softwareDraft('1.2.3')).toEqual(software);
  const body = { version: DEFAULT_RULES.version, sha256: sha256(canonicalJson(DEFAULT_RULES)) };
  expect(rulesDraft(DEFAULT_RULES, sha256)).toEqual({ kind: 'rules', subject: 'rules', body });
});

test('an outcome and its corrections have the subject of their market', () => {
  const settled = { marketId: '0xm1', outcomes: ['Yes', 'No'], payouts: [1, 0] };
  for (const kind of ['outcome', 'correction'] as const)
    expect(settlementDraft(kind, settled, START)).toEqual({
      kind,
      subject: 'market:0xm1',
      at: START,
      body: { market_id: '0xm1', outcomes: ['Yes', 'No'], payouts: [1, 0] },
    });
});

test('the beginning and the end of a blind window have one subject', () => {
  const window = {
    id: 'blind_1',
    startedAt: START,
    endedAt: null,
    cause: 'stalled',
    backfilledAt: null,
  } as const;
  const [subject, body] = ['window:blind_1', { id: 'blind_1', started_at: iso(START), cause: 'stalled' }];
  expect(blindOpenedDraft(window)).toEqual({ kind: 'blind_opened', subject, body });
  const closed = { kind: 'blind_closed', subject, body: { ...body, ended_at: iso(START + 5) } };
  expect(blindClosedDraft(window, START + 5)).toEqual(closed);
});

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
