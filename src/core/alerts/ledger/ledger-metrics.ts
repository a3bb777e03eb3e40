import type { AlertType } from '../../detection/candidate.ts';

/** Metrics of the ledger. */
export interface LedgerMetrics {
  alertAppended(type: AlertType): void;
  marketResolved(): void;
}
