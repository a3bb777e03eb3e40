import { z } from 'zod';
import { CATEGORIES } from '../../core/category.ts';
import type { WebhookChange } from '../../core/webhooks/webhook-store.ts';
import { categoryList } from '../query/category-list.ts';
import { invalidValue } from './validation.ts';

const CHANGEABLE = '`categories`, `min_signal` and `paused` can be changed';

/** The body of `PATCH /webhooks/{webhook_id}`. */
export const webhookChangeSchema = z
  .strictObject(
    {
      categories: categoryList()
        .nullable()
        .optional()
        .describe(`Comma-separated, of ${CATEGORIES.join(', ')}; null for all categories.`),
      min_signal: z
        .number()
        .int()
        .min(0)
        .max(100)
        .nullable()
        .optional()
        .meta({
          description: 'Only alerts with this score or a higher one are sent; null for all.',
          examples: [70],
        }),
      paused: z
        .boolean()
        .optional()
        .meta({ description: 'True pauses deliveries, false resumes them.', examples: [true] }),
    },
    {
      error: ({ code }) =>
        code === 'unrecognized_keys'
          ? `Extra inputs are not permitted: ${CHANGEABLE}; another url is another webhook`
          : undefined,
    },
  )
  .superRefine((change, context) => {
    // Unknown fields have been reported before.
    if (context.issues.length > 0 || Object.keys(change).length > 0) return;
    context.addIssue(invalidValue('missing', `Nothing to change: ${CHANGEABLE}`));
  })
  .meta({ minProperties: 1 });

export function changeOf(body: z.infer<typeof webhookChangeSchema>): WebhookChange {
  const { categories, min_signal: minScore, paused: isPaused } = body;
  return {
    ...(categories !== undefined && { categories: categories?.length ? categories : null }),
    ...(minScore !== undefined && { minScore }),
    ...(isPaused !== undefined && { isPaused }),
  };
}
