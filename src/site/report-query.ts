import { z } from 'zod';
import type { Alert } from '../core/alerts/alert.ts';
import type { EpochMs } from '../core/base/time/duration.ts';
import type { MarketPrices } from '../core/record/observations/market-prices.ts';
import { beforeShape } from '../http/query/cursor.ts';
import type { ListedAlert } from './pages/home.ts';

/** Which alerts a page about a market or a wallet lists: a cursor that the API would refuse is ignored. */
export const reportPageSchema = z.object({ before_id: beforeShape.before_id.catch(undefined) });

/** The address of a page of the list. */
export function reportPagePath(path: string, beforeId: number | undefined): string {
  return beforeId === undefined ? path : `${path}?before_id=${beforeId}`;
}

/** Alerts with the last price of each one's outcome. */
export function withPrices(
  alerts: readonly Alert[],
  prices: MarketPrices,
  until: EpochMs,
): Promise<readonly ListedAlert[]> {
  return Promise.all(alerts.map(async (alert) => ({ alert, priceNow: await prices.lastOf(alert, until) })));
}
