import { z } from 'zod';
import type { FilterValue } from '../../core/accounts/presets/preset.ts';
import type { LastingFilter } from '../../core/alerts/passes-filter.ts';
import { conditionShape, fieldsOf, namesOf } from '../query/alert-query.ts';
import { FILTER_MEMBERS, filterProblem, parseFilter } from '../query/filter-values.ts';

const NAMES = Object.keys(conditionShape);

const EXTRA = `Extra inputs are not permitted: a webhook filters by ${NAMES.map((name) => `\`${name}\``).join(', ')}`;

const described = {
  description:
    'Filters of alerts, with the names that `GET /alerts` and presets have. All must match; null is not set.',
  examples: [{ side: 'BUY', min_usdc: 5000 }],
  properties: Object.fromEntries(NAMES.map((name) => [name, FILTER_MEMBERS[name]])),
};

/** The filters of presets that an alert passes from its publication on, or never. Null when none is set. */
export const givenFiltersSchema = z
  .looseObject({})
  .superRefine((filters, context) => {
    const keys = Object.keys(filters).filter((name) => !NAMES.includes(name));
    if (keys.length > 0) context.addIssue({ code: 'unrecognized_keys', keys, message: EXTRA });
    for (const name of NAMES) {
      const problem = name in filters ? filterProblem(name, filters[name]) : null;
      if (problem !== null) context.addIssue({ ...problem, path: [name] });
    }
  })
  .meta({ id: 'GivenWebhookFilters', ...described, additionalProperties: false })
  .transform((filters): LastingFilter | null => {
    const parsed = Object.entries(filters).map(([name, value]) => [
      name,
      parseFilter(name, value as FilterValue)?.data,
    ]);
    const fields = fieldsOf(Object.fromEntries(parsed));
    return Object.keys(fields).length === 0 ? null : fields;
  });

/** The filters as a webhook shows them. */
export const webhookFiltersSchema = z
  .looseObject({})
  .meta({ id: 'WebhookFilters', ...described, additionalProperties: undefined });

export function filtersView(filters: LastingFilter | null) {
  return filters === null ? null : namesOf(filters);
}
