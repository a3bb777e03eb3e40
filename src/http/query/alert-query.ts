import { z } from 'zod';
import type { AlertFilter } from '../../core/alerts/alert-store.ts';
import type { EpochMs } from '../../core/base/time/duration.ts';
import { ALERT_TYPES } from '../../core/detection/candidate.ts';
import { CATEGORIES, SIDES } from '../../core/trades/trade.ts';
import { invalidQuery } from '../schemas/validation.ts';
import { queryBoolean, queryInteger, queryMoment, queryNumber } from './query-values.ts';

const SEARCH_LENGTH = 200;
const PAGES = 1_000_000_000;

/** The page of the matches. */
export const pageShape = {
  page: queryInteger({ min: 1, max: PAGES })
    .optional()
    .meta({ description: 'Page number; that of the preset if omitted.', default: 1, examples: [1] }),
  page_size: queryInteger({ min: 1, max: 100 })
    .optional()
    .meta({
      description:
        'Results per page; those of the preset if omitted. Values above the `max_page_size` of the key are reduced to it.',
      default: 20,
      examples: [20],
    }),
};

/** How alerts of a list are shown. */
export const expandShape = {
  expand: z
    .enum(['details'])
    .optional()
    .meta({
      description: 'With `details`, each alert is the full one, as `GET /alerts/{id}` returns it.',
      examples: ['details'],
    }),
};

/** The filters of alerts, for all routes that filter alerts. */
export const filterShape = {
  category: z
    .enum(CATEGORIES)
    .optional()
    .meta({ description: 'A category value.', examples: ['politics'] }),
  side: z
    .enum(SIDES)
    .optional()
    .meta({ description: 'Direction of the trade.', examples: ['BUY'] }),
  min_usdc: queryNumber()
    .optional()
    .meta({ description: 'Only trades larger than this USDC amount.', examples: [5000] }),
  min_signal: queryInteger({ min: 0, max: 100 })
    .optional()
    .meta({ description: 'Only alerts with this signal score or a higher one.', examples: [70] }),
  search: z
    .string()
    .max(SEARCH_LENGTH)
    .optional()
    .meta({
      description: 'Part of the market question or slug, or an exact wallet address. Case does not matter.',
      examples: ['measure'],
    }),
  alert_type: z
    .enum(ALERT_TYPES)
    .optional()
    .meta({ description: 'Kind of alert.', examples: ['cluster'] }),
  since: queryMoment('since')
    .optional()
    .meta({
      description:
        'Not before this time: `YYYY-MM-DD HH:MM:SS`, the same with a T (both UTC), or ISO 8601 with a zone.',
      examples: ['2020-01-01 00:00:00'],
    }),
  until: queryMoment('until')
    .optional()
    .meta({
      description:
        'Not after this time, written like `since`. Without a fraction it is the end of the second.',
      examples: ['2099-12-31T23:59:59Z'],
    }),
  resolved: queryBoolean()
    .optional()
    .meta({ description: 'Whether the market has resolved.', examples: [true] }),
};

const REVERSED = { type: 'value_error', msg: 'Input should be after since' };

/** The filter of the archive for a query. Alerts created after `visible` are excluded. Throws if `until` is before `since`. */
export function filterOf(query: z.infer<z.ZodObject<typeof filterShape>>, visible: EpochMs): AlertFilter {
  const { since = Number.NEGATIVE_INFINITY, until: before = Number.POSITIVE_INFINITY } = query;
  if (since > before) throw invalidQuery('until', REVERSED);
  const until = Math.min(before, visible);
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
