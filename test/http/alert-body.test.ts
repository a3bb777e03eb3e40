import { expect, test } from 'vitest';
import { alertDraft } from '../../src/core/alerts/alert-entry.ts';
import { alertView } from '../../src/http/views/alert-view.ts';
import { alertOf } from '../support/alerts.ts';

const alert = alertOf({ id: 7 });
const resolution = { payout: 1, won: true, profitUsdc: 3_000 };
const log = { seq: 12, hash: 'a'.repeat(64) };
const view = alertView({ ...alert, resolution });
const { body } = alertDraft(alert);
const details = body['details'] as object;
const missing = (all: object, some: object) => Object.keys(all).filter((name) => !(name in some));

test('every field of the entry is what the API answers, but those that the functions of an alert need besides', () => {
  const { details: _, market_event, outcome_index, shares, is_history, ...fields } = body;
  const { held_share, ...shown } = details as { readonly held_share: number };

  expect({ market_event, outcome_index, shares, is_history, held_share }).toEqual({
    ...{ market_event: 'will-the-measure-pass', outcome_index: 0, shares: 5_000 },
    ...{ is_history: false, held_share: 1 },
  });
  expect(view).toMatchObject(fields);
  expect(view.details).toMatchObject(shown);
});

test('the entry does not change when the market is settled or the alert is withdrawn, nor with the position in the log', () => {
  const withdrawn = { at: 1, reason: 'wrong market' };
  expect(alertDraft({ ...alert, resolution, withdrawn, log })).toEqual(alertDraft(alert));
});

test('all that the API answers is in the entry but what changes later', () => {
  expect(missing(view, body)).toEqual(['resolved', 'won', 'profit_usdc', 'log']);
  expect(missing(view.details, details)).toEqual(['position_profit_usdc', 'bet', 'market_url']);
});
