import { z } from 'zod';
import { ALERT_TYPES } from '../core/alert.ts';
import { CATEGORIES } from '../core/category.ts';
import type { AlertFilter } from '../core/ports/alert-store.ts';
import type { EpochMs } from '../core/trade.ts';
import { queryMoment } from './query-moment.ts';
import { queryBoolean, queryInteger, queryNumber } from './query-values.ts';

const SEARCH_LENGTH = 200;
const PAGES = 1_000_000_000;

/** Which part of the matches is wanted. */
export const pageShape = {
  page: queryInteger({ min: 1, max: PAGES }).optional().describe('1 when not given.'),
  page_size: queryInteger({ min: 1, max: 100 })
    .optional()
    .describe('20 when not given; lowered to the largest of the tier.'),
};

/** The query names that choose alerts, wherever alerts are chosen. */
export const filterShape = {
  category: z.enum(CATEGORIES).optional(),
  side: z.enum(['BUY', 'SELL']).optional(),
  min_usdc: queryNumber().optional(),
  min_signal: queryInteger({ min: 0, max: 100 }).optional(),
  search: z.string().max(SEARCH_LENGTH).optional(),
  alert_type: z.enum(ALERT_TYPES).optional(),
  since: queryMoment('since').optional(),
  until: queryMoment('until').optional(),
  resolved: queryBoolean().optional(),
};

/** What a query asks the archive for; nothing younger than `visible`. */
export function filterOf(query: z.infer<z.ZodObject<typeof filterShape>>, visible: EpochMs): AlertFilter {
  const until = Math.min(query.until ?? Number.POSITIVE_INFINITY, visible);
  const search = query.search?.trim();
  return {
    ...(query.category !== undefined && { categories: [query.category] }),
    ...(query.side !== undefined && { side: query.side }),
    ...(query.alert_type !== undefined && { type: query.alert_type }),
    ...(query.min_usdc !== undefined && { minUsdc: query.min_usdc }),
    ...(query.min_signal !== undefined && { minScore: query.min_signal }),
    ...(query.resolved !== undefined && { isResolved: query.resolved }),
    ...(search !== undefined && search !== '' && { search }),
    ...(query.since !== undefined && { since: query.since }),
    ...(Number.isFinite(until) && { until }),
  };
}
