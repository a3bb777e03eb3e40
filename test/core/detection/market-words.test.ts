import { describe, expect, test } from 'vitest';
import { Detector } from '../../../src/core/detection/detector.ts';
import { DEFAULT_RULES } from '../../../src/core/detection/rules.ts';
import type { Row, Trade } from '../../../src/core/trades/trade.ts';
import { closeRow, tradeRow } from '../../support/rows.ts';

const UNLABELLED = { title: '', slug: '', outcome: '', outcomeIndex: 999 };
const MARKET_ID = `0x${'1a2b3c4d'.repeat(8)}`;

function wordsAfter(rows: readonly Row[], ...fills: Partial<Trade>[]) {
  const detector = new Detector(DEFAULT_RULES, { isComplete: true });
  const trades = fills.map((fill) => tradeRow({ usdc: 2_000, marketId: MARKET_ID, ...fill }));
  const alerts = [...rows, ...trades, closeRow()].flatMap((row) => detector.judge(row).candidates);
  expect(alerts).toHaveLength(1);
  const { eventTitle, eventSlug, outcome, outcomeIndex } = alerts[0] ?? {};
  return { eventTitle, eventSlug, outcome, outcomeIndex };
}

describe('an alert calls its market and outcome', () => {
  test('by their ids where nothing names them, and by nothing empty', () => {
    const fill = { asset: '123456789', ...UNLABELLED };
    const words = {
      eventTitle: 'market 0x1a2b3c…',
      eventSlug: '',
      outcome: 'token 123456…',
      outcomeIndex: 999,
    };
    expect(wordsAfter([], fill)).toEqual(words);
    expect(wordsAfter([], { ...fill, outcomeIndex: 1 })).toEqual({
      ...words,
      outcome: 'outcome 1',
      outcomeIndex: 1,
    });
    expect(wordsAfter([], { ...fill, slug: 'will-it' })).toEqual({
      ...words,
      eventTitle: 'will-it',
      eventSlug: 'will-it',
    });
  });
});

test('a market whose first trade has no title is left out by the title of the next one', () => {
  const detector = new Detector(DEFAULT_RULES, { isComplete: true });
  detector.judge(tradeRow({ ...UNLABELLED, usdc: 10 }));
  detector.judge(closeRow());
  const title = 'Bitcoin Up or Down on May 2?';
  detector.judge(tradeRow({ wallet: '0xother', title, usdc: 2_000 }));
  expect(detector.judge(closeRow()).candidates).toEqual([]);
});
