import { expect, test } from 'vitest';
import { alertDraft, alertOfEntry } from '../../../src/core/alerts/alert-entry.ts';
import { alertView } from '../../../src/http/views/alert-view.ts';
import { alertOf } from '../../support/alerts.ts';
import { sealed } from '../../support/log-entries.ts';

const { details } = alertOf({ id: 1 });

test.each([
  alertOf({ id: 7, isHistory: true, details: { ...details, heldShare: 0.25, role: 'maker' } }),
  alertOf({
    ...{ id: 9, type: 'cluster', side: 'SELL', outcomeIndex: 1, marketEvent: null },
    ...{ threadId: 3, supersedes: 8, tradedAt: 1, detectedAt: 2 },
    details: {
      ...{ ...details, walletAgeDays: 0.5, role: null, isPositionKnown: false },
      ...{ wallets: ['0xa', '0xb'], clusterTotal: 4_500, clusterShares: 9_000, clusterAvgPrice: 0.5 },
    },
  }),
])('the entry of an alert ($type) is the alert again, and states what the API publishes of it', (alert) => {
  const [entry] = sealed([alertDraft(alert)]);
  if (entry === undefined) throw new Error('no entry');
  const stored = alertOfEntry({ ...entry, body: JSON.parse(JSON.stringify(entry.body)) });

  expect(stored).toEqual({ ...alert, log: { seq: 1, hash: entry.hash } });
  const { resolved, won, profit_usdc, log, details: shown, ...published } = alertView(stored);
  const { position_profit_usdc, bet, market_url, ...unchanging } = shown;
  expect(entry.body).toMatchObject({ ...published, details: unchanging });
});
