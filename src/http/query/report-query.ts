import { z } from 'zod';
import type { TierPolicy } from '../../core/accounts/tier.ts';
import type { Alert } from '../../core/alerts/alert.ts';
import type { ReportQuery } from '../../core/alerts/alert-store.ts';
import { visibleUntil } from '../../core/alerts/free-delay.ts';
import type { ServerDeps } from '../server-deps.ts';
import { expandShape, pageShape } from './alert-query.ts';
import { beforeShape } from './cursor.ts';

const DEFAULT_PAGE_SIZE = 20;

/** The query of a report on a wallet or a market. */
export const reportQuerySchema = z.object({ ...beforeShape, page_size: pageShape.page_size, ...expandShape });

export function reportQuery(
  { before_id, page_size }: z.infer<typeof reportQuerySchema>,
  policy: TierPolicy,
  deps: Pick<ServerDeps, 'clock' | 'freeDelayMs'>,
): ReportQuery {
  const until = visibleUntil(policy, deps);
  return {
    ...(Number.isFinite(until) && { until }),
    ...(before_id !== undefined && { beforeId: before_id }),
    limit: Math.min(page_size ?? DEFAULT_PAGE_SIZE, policy.maxPageSize),
  };
}

/** The values of the query for the next page; null if there is none. */
export function nextReport({
  alerts,
  hasMore,
}: {
  readonly alerts: readonly Pick<Alert, 'id'>[];
  readonly hasMore: boolean;
}): { before_id: number } | null {
  const last = alerts.at(-1);
  return hasMore && last !== undefined ? { before_id: last.id } : null;
}
