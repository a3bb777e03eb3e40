import { z } from 'zod';
import type { AlertFilter } from '../../core/alerts/alert-store.ts';
import type { EpochMs } from '../../core/base/time/duration.ts';
import { alertType, category, named, side } from '../schemas/enumerations.ts';
import { parameter } from '../schemas/fields.ts';
import { invalidRequestOf } from '../schemas/validation.ts';
import {
  ADDRESS,
  ADDRESS_EXPECTED,
  categoryList,
  queryBoolean,
  queryInteger,
  queryMoment,
  queryNumber,
} from './query-values.ts';

const SEARCH_LENGTH = 200;
/** As long as the slug of a page may be. */
const MARKET_LENGTH = 300;
const PAGES = 1_000_000_000;

export const pageShape = {
  page: queryInteger({ min: 1, max: PAGES })
    .optional()
    .meta({ description: 'Page number; the preset’s if omitted.', default: 1, examples: [1] }),
  page_size: queryInteger({ min: 1, max: 100 })
    .optional()
    .meta({
      description:
        'Results per page; the preset’s if omitted. Values above the `max_page_size` of the key are reduced to it.',
      default: 20,
      examples: [20],
    }),
};

export const expandShape = {
  expand: parameter(
    named('Expand', ['details'], 'What an answer includes in addition.'),
    'With `details`, each alert is the full one, as `GET /alerts/{id}` returns it.',
    'details',
  ),
};

/** Conditions that an alert fulfils from its publication on, or never: the filters of the stream and of webhooks. */
export const conditionShape = {
  category: parameter(category, 'A category value.', 'politics'),
  categories: parameter(
    categoryList(),
    'Any of these categories, separated by commas. With `category`, both must match. Default: all.',
    'politics,crypto',
  ),
  side: parameter(side, 'Direction of the trade.', 'BUY'),
  min_usdc: parameter(queryNumber(), 'Only trades larger than this USDC amount.', 5000),
  min_position: parameter(
    queryNumber(),
    'Only alerts whose bet has put in at least this USDC amount, as of the alert: all buys of the wallet in the outcome, or those of a cluster’s members.',
    10000,
  ),
  min_signal: parameter(
    queryInteger({ min: 0, max: 100 }),
    'Only alerts with at least this signal score.',
    70,
  ),
  search: parameter(
    z.string().max(SEARCH_LENGTH),
    'Words of the market question or slug, in any order; or an address, also shortened, or a URL of Polymarket or of this service. Case does not matter.',
    'measure',
  ),
  wallet: parameter(
    z
      .string()
      .regex(ADDRESS, ADDRESS_EXPECTED)
      .transform((address) => address.toLowerCase()),
    'Address of the wallet that traded; for a cluster, the wallet whose order triggered the alert. Case does not matter.',
    '0x7c3db723f1d4d8cb9c550095203b686cb11e5c6b',
  ),
  market: parameter(
    z
      .string()
      .min(1)
      .max(MARKET_LENGTH)
      .transform((name) => name.toLowerCase()),
    'Market identifier, or the market slug as given in the alert. Case does not matter.',
    'will-the-measure-pass',
  ),
  alert_type: parameter(alertType, 'Kind of alert.', 'cluster'),
};

export const filterShape = {
  ...conditionShape,
  since: parameter(
    queryMoment('since'),
    'Not before this time: `YYYY-MM-DD HH:MM:SS`, the same with a T (both UTC), or ISO 8601 with a zone.',
    '2020-01-01 00:00:00',
  ),
  until: parameter(
    queryMoment('until'),
    'Not after this time, in the format of `since`. Without a fraction, the whole second is included.',
    '2099-12-31T23:59:59Z',
  ),
  resolved: parameter(queryBoolean(), 'Whether the market has resolved.', true),
};

/**
 * The field of `AlertFilter` that each name sets. Presets, previews, the stream, webhooks and the site follow from the
 * shapes above and from this table. The compiler refuses a name without a field here, and in `Named` a field without a
 * name.
 */
const FIELDS = {
  category: 'category',
  categories: 'categories',
  side: 'side',
  min_usdc: 'minUsdc',
  min_position: 'minPosition',
  min_signal: 'minScore',
  search: 'search',
  wallet: 'wallet',
  market: 'market',
  alert_type: 'type',
  since: 'since',
  until: 'until',
  resolved: 'isResolved',
} as const satisfies Readonly<Record<keyof typeof filterShape, keyof AlertFilter>>;

type Query = z.infer<z.ZodObject<typeof filterShape>>;
type Values = { [Name in keyof Query as (typeof FIELDS)[Name]]?: Exclude<Query[Name], undefined> };
type Named = Pick<Values, keyof Omit<AlertFilter, 'afterId' | 'beforeId' | 'isPerBet' | 'asOf'>>;

/** The fields that the parameters set; blank texts and empty lists set none. Unknown parameters are left out. */
export function fieldsOf(query: Query): Named {
  const set = Object.entries(FIELDS).flatMap(([name, field]) => {
    const given = query[name as keyof Query];
    const value = typeof given === 'string' ? given.trim() : given;
    return value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
      ? []
      : [[field, value]];
  });
  return Object.fromEntries(set);
}

export function namesOf(filter: AlertFilter): Record<string, string | number | boolean> {
  const set = Object.entries(FIELDS).flatMap(([name, field]) => {
    const value = filter[field];
    return value === undefined ? [] : [[name, typeof value === 'object' ? value.join(',') : value]];
  });
  return Object.fromEntries(set);
}

const REVERSED = { loc: ['query', 'until'], type: 'value_error', msg: 'Input should be after since' };

/** The filter for a query. What was not known at `visible` does not exist. Throws if `until` is before `since`. */
export function filterOf(query: Query, visible: EpochMs): AlertFilter {
  const { since = Number.NEGATIVE_INFINITY, until: before = Number.POSITIVE_INFINITY } = query;
  if (since > before) throw invalidRequestOf([REVERSED]);
  const until = Math.min(before, visible);
  return {
    ...fieldsOf(query),
    ...(Number.isFinite(until) && { until }),
    ...(Number.isFinite(visible) && { asOf: visible }),
  };
}
