import type { Alert } from './alert.ts';

/** USDC of everything that an alert is about: its order, all buys of the position so far, or those of the cluster. */
export function positionUsdcOf({
  type,
  side,
  usdc,
  details,
}: Pick<Alert, 'type' | 'side' | 'usdc' | 'details'>): number {
  if (side === 'SELL') return usdc;
  if (type === 'cluster') return Math.max(usdc, details.clusterTotal ?? 0);
  return Math.max(usdc, details.marketTotalBought);
}
