import type { AlertType } from '../alert.ts';

/** Metrics of the ledger. */
export interface LedgerMetrics {
  alertAppended(type: AlertType): void;
  marketResolved(): void;
}
