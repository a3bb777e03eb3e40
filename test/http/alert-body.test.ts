import { expect, test } from 'vitest';
import { alertBody, alertView } from '../../src/http/views/alert-view.ts';
import { alertOf } from '../support/alerts.ts';

const alert = alertOf({ id: 7 });
const resolution = { payout: 1, won: true, profitUsdc: 3_000 };
const log = { sequence: 12, hash: 'a'.repeat(64) };

test('every field of the entry is what the API answers', () => {
  const { details, ...fields } = alertBody(alert);

  expect(alertView(alert)).toMatchObject(fields);
  expect(alertView(alert).details).toMatchObject(details as object);
});

test('the entry does not change when the market is settled, nor with the position in the log', () => {
  expect(alertBody({ ...alert, resolution, log })).toEqual(alertBody(alert));
});

test('all that the API answers is in the entry but what changes later', () => {
  const view = alertView({ ...alert, resolution });
  const body = alertBody(alert);
  const missing = (all: object, some: object) => Object.keys(all).filter((name) => !(name in some));

  expect(missing(view, body)).toEqual(['resolved', 'won', 'profit_usdc', 'log']);
  expect(missing(view.details, body['details'] as object)).toEqual([
    'position_profit_usdc',
    'bet',
    'market_url',
  ]);
});
