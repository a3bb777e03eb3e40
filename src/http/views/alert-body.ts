import type { Alert } from '../../core/alerts/alert.ts';
import type { JsonObject } from '../../core/log/log-entry.ts';
import { alertView } from './alert-view.ts';

/** The body of an alert's entry in the log: the fields of the API, except its log entry and fields that change later. */
export function alertBody(alert: Alert): JsonObject {
  const { resolved, won, profit_usdc, log, details, ...fields } = alertView(alert);
  const { position_profit_usdc, ...unchanging } = details;
  return { ...fields, details: unchanging } as JsonObject;
}
