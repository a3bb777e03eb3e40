import type { Alert } from '../../core/alerts/alert.ts';
import type { JsonObject } from '../../core/log/log-entry.ts';
import { alertView } from './alert-view.ts';

/** An alert as its entry in the log states it: as the API does, without its position there and what changes later. */
export function alertBody(alert: Alert): JsonObject {
  const { resolved, won, profit_usdc, log, details, ...fields } = alertView(alert);
  const { position_profit_usdc, ...unchanging } = details;
  return { ...fields, details: unchanging } as JsonObject;
}
