import type { Alert, AlertType } from '../alerts/alert.ts';
import type { Category } from '../category.ts';

/** The filter of a client. Absent fields do not restrict; all present ones must match. */
export interface StreamFilter {
  /** Any of these. */
  readonly categories?: readonly Category[];
  /** Score equal or higher, 0 to 100. */
  readonly minScore?: number;
  readonly type?: AlertType;
}

/** Whether the alert is sent to a client with this filter. History is never sent. */
export function isWanted(
  { categories, minScore, type }: StreamFilter,
  alert: Pick<Alert, 'isHistory' | 'category' | 'score' | 'type'>,
): boolean {
  if (alert.isHistory) return false;
  if (minScore !== undefined && alert.score < minScore) return false;
  if (type !== undefined && alert.type !== type) return false;
  return categories === undefined || categories.includes(alert.category);
}
