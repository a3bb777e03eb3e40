import { z } from 'zod';
import type { LastingFilter } from '../../core/alerts/passes-filter.ts';
import { ALERT_TYPES } from '../../core/detection/candidate.ts';
import { CATEGORIES } from '../../core/trades/trade.ts';
import { score } from '../schemas/fields.ts';

const SEARCH_LENGTH = 200;
const NAMES = '`category`, `side`, `alert_type`, `min_usdc`, `min_signal` and `search`';

const shape = {
  category: z
    .enum(CATEGORIES)
    .nullish()
    .meta({ description: 'A category value.', examples: ['crypto'] }),
  side: z
    .enum(['BUY', 'SELL'])
    .nullish()
    .meta({ description: 'Direction of the trade.', examples: ['BUY'] }),
  alert_type: z
    .enum(ALERT_TYPES)
    .nullish()
    .meta({ description: 'Kind of alert.', examples: ['cluster'] }),
  min_usdc: z
    .number()
    .nullish()
    .meta({ description: 'Only trades larger than this USDC amount.', examples: [5000] }),
  min_signal: score
    .nullish()
    .meta({ description: 'Only alerts with this signal score or a higher one.', examples: [70] }),
  search: z
    .string()
    .max(SEARCH_LENGTH)
    .refine((text) => text.isWellFormed(), 'Input should be well-formed text')
    .nullish()
    .meta({
      description: 'Part of the market question or slug, or an exact wallet address. Case does not matter.',
      examples: ['measure'],
    }),
};

const described = {
  description:
    'Filters of alerts, with the names that `GET /alerts` and presets have. All must match; null is not set.',
  examples: [{ side: 'BUY', min_usdc: 5000 }],
};

/** The filters of presets that an alert passes from its publication on, or never. */
export const givenFiltersSchema = z
  .strictObject(shape, {
    error: ({ code }) =>
      code === 'unrecognized_keys'
        ? `Extra inputs are not permitted: a webhook filters by ${NAMES}`
        : undefined,
  })
  .meta({ id: 'GivenWebhookFilters', ...described });

/** The filters as a webhook shows them. */
export const webhookFiltersSchema = z.object(shape).meta({ id: 'WebhookFilters', ...described });
type WebhookFilters = z.infer<typeof webhookFiltersSchema>;

/** Null when no filter is set. */
export function toFilters(given: WebhookFilters | null | undefined): LastingFilter | null {
  const search = given?.search?.trim();
  const filters: LastingFilter = {
    ...(given?.category && { categories: [given.category] }),
    ...(given?.side && { side: given.side }),
    ...(given?.alert_type && { type: given.alert_type }),
    ...(typeof given?.min_usdc === 'number' && { minUsdc: given.min_usdc }),
    ...(typeof given?.min_signal === 'number' && { minScore: given.min_signal }),
    ...(search && { search }),
  };
  return Object.keys(filters).length === 0 ? null : filters;
}

export function filtersView(filters: LastingFilter | null): WebhookFilters | null {
  if (filters === null) return null;
  const { categories, side, type, minUsdc, minScore, search } = filters;
  return {
    ...(categories !== undefined && { category: categories[0] }),
    ...(side !== undefined && { side }),
    ...(type !== undefined && { alert_type: type }),
    ...(minUsdc !== undefined && { min_usdc: minUsdc }),
    ...(minScore !== undefined && { min_signal: minScore }),
    ...(search !== undefined && { search }),
  };
}
