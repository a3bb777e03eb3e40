import { z } from 'zod';
import { type FilterValue, PRESET_LIMITS } from '../../core/accounts/presets/preset.ts';
import { cleanName } from '../../core/base/text/escape.ts';
import { FILTER_MEMBERS, filterProblem } from '../query/filter-values.ts';
import { queryMoment } from '../query/query-values.ts';
import { invalidValue } from '../schemas/validation.ts';
import { PRESET_EXAMPLE } from '../views/examples.ts';

/** The years that four digits can show. */
const FIRST_MOMENT = Date.UTC(-1, 12);
const LAST_MOMENT = Date.UTC(9_999, 11, 31, 23, 59, 59, 999);

/** What `cleanName` removes at the ends, control characters included; inside they are refused. */
const REMOVED =
  '[\\t-\\r \\u00a0\\u00ad\\u061c\\u1680\\u180e\\u2000-\\u200b\\u200e\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u3000\\ufeff\\ufff9-\\ufffb]*';

const nameSchema = z
  .string()
  .max(PRESET_LIMITS.nameLength)
  .overwrite(cleanName)
  .min(1)
  .superRefine((name, context) => {
    if (!/\p{Cc}/u.test(name) && name.isWellFormed()) return;
    context.addIssue(invalidValue('value_error', 'Name should be one line without control characters'));
  })
  .meta({
    description: 'Any label: one line with at least one visible character. Surrounding space is removed.',
    pattern: `^${REMOVED}[^\\x00-\\x1f\\x7f-\\x9f]*${REMOVED}$`,
    examples: ['Large crypto buys'],
  });

/** Of requests and answers alike: one component of the document. */
export const filtersSchema = z.record(z.string(), z.unknown()).meta({
  id: 'PresetFilters',
  description:
    'Filters by name: the query names of `GET /alerts` with the values they take there. A null filter is not set; unknown names are stored but not used, and listed in `X-Unknown-Parameters` when the preset is saved or applied.',
  examples: [{ category: 'crypto', side: 'BUY', min_signal: 60 }],
  maxProperties: PRESET_LIMITS.filters,
  propertyNames: { type: 'string', maxLength: PRESET_LIMITS.filterNameLength },
  properties: FILTER_MEMBERS,
  // Of `additionalProperties` generators make an index signature, which optional properties do not fit.
  additionalProperties: undefined,
  patternProperties: { '^': { $ref: '#/components/schemas/FilterValue' } },
});

const givenFiltersSchema = filtersSchema
  .superRefine((filters, context) => {
    const pairs = Object.entries(filters);
    if (pairs.length > PRESET_LIMITS.filters) {
      const msg = `Dictionary should have at most ${PRESET_LIMITS.filters} items`;
      context.addIssue(invalidValue('too_long', msg));
      return;
    }
    for (const [name, value] of pairs) {
      // A name that is too long is not echoed.
      if (name.length > PRESET_LIMITS.filterNameLength || !name.isWellFormed()) {
        const msg = `Filter names should have at most ${PRESET_LIMITS.filterNameLength} characters`;
        context.addIssue(invalidValue('value_error', msg));
        continue;
      }
      const problem = filterProblem(name, value);
      if (problem !== null) context.addIssue({ ...problem, path: [name] });
    }
  })
  .transform((filters) => filters as Record<string, FilterValue>);

export const presetBodySchema = z
  .object({
    name: nameSchema,
    filters: givenFiltersSchema,
    created_at: queryMoment('since')
      .refine((at) => at >= FIRST_MOMENT && at <= LAST_MOMENT, 'Input should be in the years 0000 to 9999')
      .nullish()
      .describe('`YYYY-MM-DD HH:MM:SS` (UTC) or ISO 8601. Default: the current time; for `PUT`, unchanged.'),
  })
  .meta({
    id: 'CreatePreset',
    description: 'Body of `createPreset`.',
    examples: [{ name: PRESET_EXAMPLE.name, filters: PRESET_EXAMPLE.filters }],
  });
