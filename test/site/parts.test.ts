import { describe, expect, test } from 'vitest';
import type { Alert } from '../../src/core/alerts/alert.ts';
import { alertRow } from '../../src/site/parts/alert-row.ts';
import { titleOf } from '../../src/site/parts/labels.ts';
import { alertOf } from '../support/alerts.ts';

describe('texts of a market', () => {
  test('have words where there are none', () => {
    expect(titleOf({ eventTitle: ' \u202e\n ' })).toBe('A market without a title');
  });
});

describe('a row', () => {
  const rowOf = (priceNow: number | null, given: Partial<Alert> = {}) =>
    alertRow({ alert: alertOf({ id: 1, ...given }), priceNow, exit: null }).toString();
  const words = (row: string) =>
    row
      .match(/class="price">(.*?)<\/p>/)?.[1]
      ?.replace(/<[^>]+>/g, '')
      .trim();

  test('says the price now, with the way from the mean price of the bet, which stands in the bet alone', () => {
    expect(words(rowOf(0.475))).toBe('now 47.5¢ +7.5¢');
    expect(words(rowOf(0.39))).toBe('now 39¢ −1.0¢');
    expect(words(rowOf(0.4))).toBe('now 40¢ +0.0¢');
    expect(words(rowOf(null))).toBe('no order since');
    const details = { ...alertOf({ id: 1 }).details, marketBuyCount: 3, marketAvgPrice: 0.35 };
    expect(rowOf(0.5, { details })).toMatch(/at 35¢ to win /);
    expect(words(rowOf(0.5, { details }))).toBe('now 50¢ +15.0¢');
  });

  test('shows a fall as right for a wallet that sold', () => {
    const classOf = (side: 'BUY' | 'SELL', priceNow: number) =>
      alertRow({ alert: alertOf({ id: 1, side }), priceNow, exit: null })
        .toString()
        .match(/class="(right|wrong|muted)">[+−]/)?.[1];
    expect([0.5, 0.3, 0.4].map((price) => classOf('BUY', price))).toEqual(['right', 'wrong', 'muted']);
    expect([classOf('SELL', 0.5), classOf('SELL', 0.3)]).toEqual(['wrong', 'right']);
  });

  test('has no link for a market whose slug is no part of a path', () => {
    const row = rowOf(null, { eventSlug: '..' });
    expect(row).not.toContain('/markets/');
    expect(row).toContain('<bdi>Will the measure pass?</bdi>');
  });
});
