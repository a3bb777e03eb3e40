import type { Alert } from '../../alerts/alert.ts';
import { rounded } from '../../base/rounded.ts';
import { UNKNOWN_OUTCOME } from '../../trades/trade.ts';
import type { ObservedMarket } from './observation-store.ts';

/** An outcome of an observed market: 0 the base, 1 the other. */
export type OutcomeSide = 0 | 1;

/**
 * The outcome of an alert in its observed market. The asset in the alert's key decides; alerts before version 3 of the rules do not
 * name it.
 */
export function outcomeSideOf(
  { key, outcome, outcomeIndex }: Pick<Alert, 'key' | 'outcome' | 'outcomeIndex'>,
  {
    baseAsset,
    otherAsset,
    baseOutcome,
    baseOutcomeIndex,
  }: Pick<ObservedMarket, 'baseAsset' | 'otherAsset' | 'baseOutcome' | 'baseOutcomeIndex'>,
): OutcomeSide {
  if (key.includes(`:${baseAsset}:`)) return 0;
  if (otherAsset !== null && key.includes(`:${otherAsset}:`)) return 1;
  const isIndexed = outcomeIndex !== UNKNOWN_OUTCOME && baseOutcomeIndex !== UNKNOWN_OUTCOME;
  return (isIndexed ? outcomeIndex === baseOutcomeIndex : outcome === baseOutcome) ? 0 : 1;
}

/** A price on the scale of the base outcome, USDC a share, on that of `outcome`: of the other one it is 1 minus it. */
export function onScaleOf(outcome: OutcomeSide, price: number): number {
  return outcome === 0 ? price : rounded(1 - price, 6);
}
