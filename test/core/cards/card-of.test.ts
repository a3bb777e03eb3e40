import { describe, expect, test } from 'vitest';
import { cardOf } from '../../../src/core/cards/card-of.ts';
import { alertOf } from '../../support/alerts.ts';

const hasAscii = (character: string) => /[ -~¢·…−]/.test(character);
const ALERT = alertOf({ id: 12 });

describe('a card', () => {
  test('says what the alert’s post says', () => {
    expect(cardOf(ALERT, hasAscii)).toEqual({
      title: 'Will the measure pass?',
      trade: 'Bought Yes at 40¢ for $2,000',
      price: '40¢',
      score: 72,
      parts: [{ words: 'Wallet 1 day old', points: 30, max: 30 }],
      result: null,
      reference: 'Alert 12 · 2026-01-02 00:00 UTC',
    });
  });

  test('has the result with its amounts, without a sign', () => {
    const resolution = { payout: 0, won: false, profitUsdc: -2_000 };
    const details = { ...ALERT.details, marketBuyCount: 3, marketTotalBought: 6_000, positionShares: 15_000 };
    const { result } = cardOf({ ...ALERT, resolution, details }, hasAscii);
    expect(result).toEqual({
      won: false,
      words: 'Wrong: −$2,000 on the last order, −$6,000 on the whole position',
    });
  });

  test('names a market in a script that the font lacks by its slug, or else by the number of the alert', () => {
    const eventTitle = '東京は雨ですか？';
    expect(cardOf({ ...ALERT, eventTitle, eventSlug: 'will-it-rain--in_tokyo' }, hasAscii).title).toBe(
      'Will it rain in tokyo',
    );
    expect(cardOf({ ...ALERT, eventTitle, eventSlug: '東京' }, hasAscii).title).toBe('Market of alert 12');
  });

  test('names an outcome and a reason in such a script by what the service knows of them', () => {
    const reasons = [{ factor: 'wallet_age', points: 5, max: 30, note: '新しい' }] as const;
    const card = cardOf(
      { ...ALERT, outcome: 'はい', outcomeIndex: 1, details: { ...ALERT.details, reasons } },
      hasAscii,
    );
    expect(card.trade).toBe('Bought outcome 2 at 40¢ for $2,000');
    expect(card.parts).toEqual([{ words: 'Wallet age', points: 5, max: 30 }]);
  });

  test('leaves out reasons without points, and names no wallet', () => {
    const reasons = [{ factor: 'size', points: 0, max: 25, note: '$10 in one order' }] as const;
    const card = cardOf({ ...ALERT, details: { ...ALERT.details, reasons } }, hasAscii);
    expect(card.parts).toEqual([]);
    expect(JSON.stringify(card)).not.toContain('0x');
  });
});
