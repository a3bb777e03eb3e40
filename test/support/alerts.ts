import type { Alert } from '../../src/core/alerts/alert.ts';
import type { Exit } from '../../src/core/alerts/exits/exit.ts';
import { EMPTY_LOG } from '../../src/core/alerts/log/log-entry.ts';
import type { MarketSettlement } from '../../src/core/alerts/settlement.ts';
import type { Candidate } from '../../src/core/detection/candidate.ts';
import { START } from './rows.ts';

/** An alert as the ledger writes it: alone in its thread; its key follows from its id. */
export function alertOf(given: Partial<Alert> & { id: number }): Alert {
  const at = START + given.id * 1_000;
  return {
    key: `w:0xt${given.id}:0000`,
    type: 'fresh',
    wallet: '0x00000000000000000000000000000000000000aa',
    marketId: '0xm1',
    eventTitle: 'Will the measure pass?',
    eventSlug: 'will-the-measure-pass',
    // Each the only market of its event.
    marketEvent: given.eventSlug ?? 'will-the-measure-pass',
    side: 'BUY',
    outcome: 'Yes',
    outcomeIndex: 0,
    entryPrice: 0.4,
    usdc: 2_000,
    shares: 5_000,
    score: 72,
    category: 'politics',
    tradeCount: 1,
    tradedAt: at,
    detectedAt: at,
    publishedAt: given.createdAt ?? at,
    createdAt: at,
    isHistory: false,
    threadId: given.id,
    supersedes: null,
    resolution: null,
    withdrawn: null,
    log: EMPTY_LOG,
    details: {
      walletAgeDays: 1,
      isAccumulating: false,
      marketBuyCount: 1,
      marketTotalBought: 2_000,
      marketAvgPrice: 0.4,
      isPositionKnown: true,
      heldShare: 1,
      positionShares: 5_000,
      toWinUsdc: 3_000,
      reasons: [{ factor: 'wallet_age', points: 30, max: 30, note: 'wallet 1 day old' }],
      ruleVersion: '1',
    },
    ...given,
  };
}

/** An exit as the ledger writes it: three fifths of 80,000 shares, bought at 55¢, sold at 71¢ three hours after alert 1. All that is not held is sold. */
export function exitOf(given: Partial<Exit> & { number: number }): Exit {
  const alertedAt = START + 1_000;
  const tradedAt = alertedAt + 3 * 3_600_000;
  return {
    key: `x:w:0xaa:1001:half:${given.number}`,
    level: 'half',
    wallet: '0x00000000000000000000000000000000000000aa',
    ...{ marketId: '0xm1', outcome: 'Yes', outcomeIndex: 0 },
    ...{ tradedAt, alertedAt, createdAt: tradedAt },
    ...{ heldShares: 32_000, peakShares: 80_000 },
    soldShares: (given.peakShares ?? 80_000) - (given.heldShares ?? 32_000),
    ...{ salePrice: 0.71, profitUsdc: 7_680, threadId: 1, alertIds: [1] },
    ...{ eventTitle: 'Will the measure pass?', eventSlug: 'will-the-measure-pass', category: 'politics' },
    marketEvent: given.eventSlug ?? 'will-the-measure-pass',
    ...{ isHistory: false, log: EMPTY_LOG },
    ...given,
  };
}

/** What the detector found before the ledger gave it a number; the facts given replace those of a plain alert. */
export function candidateOf(given: Partial<Candidate> & { key: string }): Candidate {
  const {
    id,
    createdAt,
    publishedAt,
    detectedAt,
    isHistory,
    threadId,
    supersedes,
    resolution,
    log,
    ...candidate
  } = alertOf({ id: 1 });
  return { ...candidate, ...given };
}

/** The settlement of a market whose first outcome paid. */
export function settlementOf(given: Partial<MarketSettlement> = {}): MarketSettlement {
  return {
    ...{ marketId: '0xm1', outcomes: ['Yes', 'No'], payouts: [1, 0], at: 0 },
    ...{ number: 1, kind: 'settlement', enteredAt: given.at ?? 0 },
    log: EMPTY_LOG,
    ...given,
  };
}
