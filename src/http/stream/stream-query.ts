import { z } from 'zod';
import { ALERT_TYPES } from '../../core/alerts/alert.ts';
import { categoryList } from '../query/category-list.ts';
import { queryInteger } from '../query/query-values.ts';

/** What a client of the stream may ask for besides its `api_key`, which the key check reads. Loose, so that names nobody knows are seen. */
export const streamQuerySchema = z.looseObject({
  since_id: queryInteger({ min: 0, max: Number.MAX_SAFE_INTEGER })
    .optional()
    .meta({
      description:
        'The last alert id the client has: what came after it is sent first, oldest first, at most 10,000.',
      examples: [1204],
    }),
  categories: categoryList()
    .optional()
    .meta({
      description: 'Only alerts of these categories, with commas between them; every category when absent.',
      examples: ['politics,crypto'],
    }),
  min_signal: queryInteger({ min: 0, max: 100 })
    .optional()
    .meta({
      description: 'Only alerts with this signal score or a higher one.',
      examples: [70],
    }),
  alert_type: z
    .enum(ALERT_TYPES)
    .optional()
    .meta({ description: 'Only alerts of this kind.', examples: ['cluster'] }),
});
export type StreamQuery = z.infer<typeof streamQuerySchema>;
