import type { Alert } from '../alerts/alert.ts';
import type { Settlement } from '../alerts/resolution.ts';
import type { ObservedHour, ObservedMarket } from './observations/observation-store.ts';

/** What the stores have of an observed market. */
export interface RecordMarket {
  readonly market: ObservedMarket;
  /** All of them, ascending. */
  readonly hours: readonly ObservedHour[];
  /** All that were published, ascending by id. */
  readonly alerts: readonly Alert[];
  /** Its payouts; null while unsettled. */
  readonly settlement: Settlement | null;
}
