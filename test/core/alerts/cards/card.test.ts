import { describe, expect, test } from 'vitest';
import type { Alert } from '../../../../src/core/alerts/alert.ts';
import { cardOf, drawableText } from '../../../../src/core/alerts/cards/card.ts';
import type { Exit } from '../../../../src/core/alerts/exits/exit.ts';
import { alertOf, exitOf } from '../../../support/alerts.ts';

/** Characters that a font of Latin letters lacks. */
const MISSING = new Set('東京は雨ですか？はい𝕏');
const ALERT = alertOf({ id: 12 });
const card = (change: Partial<Alert> = {}, exit: Exit | null = null) => {
  const alert = { ...ALERT, ...change };
  return cardOf({ alert, newest: alert, exit }, MISSING);
};

describe('a card', () => {
  test('says what the alert’s post says', () => {
    expect(card()).toEqual({
      title: 'Will the measure pass?',
      trade: '$2,000 on Yes at 40¢ to win $3,000',
      price: '40¢',
      score: 72,
      reasons: ['Wallet 1 day old'],
      stamp: null,
      reference: 'Alert 12 · 2026-01-02 00:00 UTC',
    });
  });

  test('has the result with its amounts, without a sign', () => {
    const resolution = { payout: 0, won: false, profitUsdc: -2_000 };
    const details = { ...ALERT.details, marketBuyCount: 3, marketTotalBought: 6_000, positionShares: 15_000 };
    expect(card({ resolution, details }).stamp).toEqual({
      kind: 'wrong',
      words: 'Lost $6,000',
    });
    expect(card({ resolution: { payout: 1, won: true, profitUsdc: 3_000 } }).stamp).toEqual({
      kind: 'right',
      words: 'Won $3,000',
    });
  });

  test.each([
    [
      '76% sold',
      { heldShares: 19_200 },
      true,
      { kind: 'right', words: 'Sold 76% at 71¢; won $720 on the 24% held' },
    ],
    [
      'sold out',
      { heldShares: 0 },
      true,
      { kind: 'muted', words: 'Sold 100% at 71¢; right, nothing was held' },
    ],
    ['open', {}, null, { kind: 'muted', words: 'Sold 60% at 71¢' }],
  ])('says what was sold before what was won: %s', (_, sold, won, stamp) => {
    const resolution = won === null ? null : { payout: 1, won, profitUsdc: 3_000 };

    expect(card({ resolution }, exitOf({ number: 1, alertIds: [12], ...sold })).stamp).toEqual(stamp);
  });

  test('of a bet that may have been sold unseen is muted', () => {
    const details = { ...ALERT.details, isPositionKnown: false };
    const resolution = { payout: 1, won: true, profitUsdc: 3_000 };

    expect(card({ details, resolution }).stamp).toEqual({ kind: 'muted', words: 'Won $3,000 if held' });
  });

  test('of a withdrawn alert says so', () => {
    const reference = 'Alert 12, withdrawn · 2026-01-02 00:00 UTC';
    expect(card({ withdrawn: { at: 1, reason: null } })).toEqual({ ...card(), reference });
  });

  test('names a market in a script that the font lacks by its slug, or else by the number of the alert', () => {
    const eventTitle = '東京は雨ですか？';
    expect(card({ eventTitle, eventSlug: 'will-it-rain--in_tokyo' }).title).toBe('Will it rain in tokyo');
    expect(card({ eventTitle, eventSlug: '東京' }).title).toBe('Market of alert 12');
  });

  test('names an outcome in such a script by its number', () => {
    expect(card({ outcome: 'はい', outcomeIndex: 1 }).trade).toBe('$2,000 on outcome 2 at 40¢ to win $3,000');
  });

  test('has the reasons of a row, and names no wallet', () => {
    const reasons = [
      { factor: 'wallet_age', points: 20, max: 30, note: 'wallet under a day old' },
      { factor: 'to_win', points: 0, max: 55, note: '$400 to win with one order' },
    ] as const;
    const drawn = card({ details: { ...ALERT.details, reasons } });
    expect(drawn.reasons).toEqual(['Wallet under a day old']);
    expect(JSON.stringify(drawn)).not.toContain('0x');
  });
});

const text = (given: string, length = 200) => drawableText(given, length, MISSING);

describe('a text of a market on a card', () => {
  test.each([
    ['is one line, without marks of direction', 'Will\n\u202eit\u202c\train?', 'Will it rain?'],
    ['loses its emoji', '🏆 Who wins 🇫🇷 the 1️⃣ cup? 👨‍👩‍👧', 'Who wins the 1 cup?'],
    ['keeps a sign that the font has', '© 2026: who wins?', '© 2026: who wins?'],
    ['has its accents in one character', 'Ze\u0301lande', 'Zélande'],
    ['loses marks beside a letter', 'Z\u0351\u0363algo', 'Zalgo'],
    ['loses what is invisible', 'so\u00adft zero\u200bwidth\ufeff', 'soft zerowidth'],
    ['has plain blanks', 'a\u00a0b\u3000c', 'a b c'],
  ])('%s', (_, given, drawn) => {
    expect(text(given)).toBe(drawn);
  });

  test.each([
    ['has a letter without a glyph', 'Who wins in 東京?'],
    ['has a character beyond the basic plane', 'Who is 𝕏?'],
    ['has nothing to read', '🏆 … ???'],
    ['is empty', ''],
  ])('is refused if it %s', (_, given) => {
    expect(text(given)).toBeNull();
  });

  test('is cut by characters', () => {
    expect(text('a'.repeat(201))).toBe(`${'a'.repeat(199)}…`);
    expect(text('a'.repeat(200))).toBe('a'.repeat(200));
    expect(text(`${'a'.repeat(100_000)}`)).toHaveLength(200);
  });
});
