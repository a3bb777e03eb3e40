import type { Alert } from '../../src/core/alerts/alert.ts';
import { CATEGORIES } from '../../src/core/trades/trade.ts';
import { alertOf } from './alerts.ts';
import { START } from './rows.ts';

export const NOON = START + 12 * 3_600_000;

const SIZE = 130;
const MINUTE = 60_000;
const TYPES = ['fresh', 'fresh_accumulator', 'cluster'] as const;

/** Ages of the newest alerts; the others are half an hour apart. */
const AGES: Record<number, number> = { 130: MINUTE, 129: 5 * MINUTE - 1, 128: 5 * MINUTE };

/** 130 alerts of three days on ten markets, of every category, type, side and score; two of the markets are settled. */
export function archive(): Alert[] {
  return Array.from({ length: SIZE }, (_, index) => archived(index + 1));
}

function archived(id: number): Alert {
  const createdAt = NOON - (AGES[id] ?? (SIZE - id) * 30 * MINUTE);
  const market = id % 10;
  const isWon = market === 8;
  return alertOf({
    id,
    type: TYPES[id % 3] as Alert['type'],
    wallet: `0x${id.toString(16).padStart(40, '0')}`,
    marketId: `0xmarket${market}`,
    eventTitle: `Will Question ${market} come true?`,
    eventSlug: `question-slug-${market}`,
    category: CATEGORIES[market % CATEGORIES.length] as Alert['category'],
    side: id % 5 === 0 ? 'SELL' : 'BUY',
    score: (id * 37) % 101,
    usdc: 1_000 + id * 10,
    createdAt,
    tradedAt: createdAt,
    detectedAt: createdAt,
    publishedAt: createdAt,
    resolution:
      market === 4 || isWon
        ? { payout: isWon ? 1 : 0, won: isWon, profitUsdc: isWon ? 3_000 : -2_000 }
        : null,
  });
}
