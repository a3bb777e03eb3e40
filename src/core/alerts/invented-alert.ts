import type { EpochMs } from '../base/time/duration.ts';
import type { Category } from '../trades/trade.ts';
import type { Alert } from './alert.ts';
import { EMPTY_LOG } from './log/log-entry.ts';

/** An address that belongs to no wallet or market. */
const NONE = `0x${'0'.repeat(40)}`;
const USDC = 1_234.56;
const PRICE = 0.5;

/**
 * What a test of a webhook or of the stream sends: an invented alert. No alert has the id 0. Its score passes every
 * `minScore`, so that a receiver treats it like real ones.
 */
export function inventedAlert(now: EpochMs, category: Category = 'other'): Alert {
  return {
    id: 0,
    key: 'test',
    type: 'fresh',
    wallet: NONE,
    marketId: NONE,
    eventTitle: 'TEST: does this delivery arrive? (no real market)',
    eventSlug: 'test-no-real-market',
    marketEvent: null,
    side: 'BUY',
    outcome: 'TEST',
    outcomeIndex: 0,
    entryPrice: PRICE,
    usdc: USDC,
    shares: USDC / PRICE,
    score: 100,
    category,
    tradeCount: 1,
    tradedAt: now,
    detectedAt: now,
    publishedAt: now,
    createdAt: now,
    isHistory: false,
    threadId: 0,
    supersedes: null,
    log: EMPTY_LOG,
    resolution: null,
    withdrawn: null,
    details: {
      walletAgeDays: 0,
      isAccumulating: false,
      marketBuyCount: 1,
      marketTotalBought: USDC,
      marketAvgPrice: PRICE,
      isPositionKnown: true,
      heldShare: 1,
      positionShares: USDC / PRICE,
      toWinUsdc: USDC * (1 / PRICE - 1),
      role: null,
      reasons: [{ factor: 'wallet_age', points: 100, max: 100, note: 'made up for a test' }],
      ruleVersion: 'test',
    },
  };
}
