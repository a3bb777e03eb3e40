import type { Candidate } from '../../../src/core/detection/candidate.ts';
import { Detector } from '../../../src/core/detection/detector.ts';
import type { FoundExit } from '../../../src/core/detection/found-exit.ts';
import { DEFAULT_RULES, type DetectionRules } from '../../../src/core/detection/rules.ts';
import type { Row } from '../../../src/core/trades/trade.ts';
import { ReferenceDetector } from '../reference-detector.ts';
import { closeRow } from '../rows.ts';
import type { ReferenceAlert } from './alert.ts';

/** What both detectors find in the same rows, in the same shape and in the sequence in which they found it. */
export function bothOver(
  rows: readonly Row[],
  tape: { readonly isComplete: boolean },
  rules: DetectionRules = DEFAULT_RULES,
): Record<'found' | 'expected', ReferenceAlert[]> & {
  readonly exits: Record<'found' | 'expected', readonly FoundExit[]>;
} {
  const real = new Detector(rules, tape);
  const reference = new ReferenceDetector(rules, tape);
  const all = [...rows, closeRow()];
  const judged = all.map((row) => real.judge(row));
  return {
    found: judged.flatMap(({ candidates }) => candidates.map(asReference)),
    expected: all.flatMap((row) => reference.judge(row)),
    exits: { found: judged.flatMap(({ exits }) => exits), expected: reference.exits },
  };
}

function asReference({ details, ...alert }: Candidate): ReferenceAlert {
  return {
    key: alert.key,
    type: alert.type,
    wallet: alert.wallet,
    marketId: alert.marketId,
    title: alert.eventTitle,
    slug: alert.eventSlug,
    outcome: alert.outcome,
    outcomeIndex: alert.outcomeIndex,
    score: alert.score,
    parts: details.reasons.map(({ factor, points, max }) => ({ factor, points, max })),
    usdc: alert.usdc,
    shares: alert.shares,
    entryPrice: alert.entryPrice,
    tradedAt: alert.tradedAt,
    tradeCount: alert.tradeCount,
    walletAgeDays: details.walletAgeDays,
    isAccumulating: details.isAccumulating,
    buyCount: details.marketBuyCount,
    totalBought: details.marketTotalBought,
    avgPrice: details.marketAvgPrice,
    positionShares: details.positionShares as number,
    heldShare: details.heldShare,
    isPositionKnown: details.isPositionKnown,
    toWinUsdc: details.toWinUsdc,
    role: details.role as ReferenceAlert['role'],
    wallets: details.wallets,
    clusterTotal: details.clusterTotal,
    clusterShares: details.clusterShares,
    clusterAvgPrice: details.clusterAvgPrice,
  };
}
