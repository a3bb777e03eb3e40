import { z } from 'zod';
import { CATEGORIES } from '../../core/category.ts';
import { WEBHOOK_LIMITS } from '../../core/webhooks/webhook.ts';
import {
  type IsPublicAddress,
  type WebhookUrlProblem,
  webhookUrlProblem,
} from '../../core/webhooks/webhook-url.ts';
import { categoryList } from '../query/category-list.ts';
import { invalidValue } from './validation.ts';

const URL_PROBLEMS: Readonly<Record<WebhookUrlProblem, readonly [type: string, msg: string]>> = {
  not_a_url: [
    'url_parsing',
    'Input should be a valid URL: https://, a host, and neither spaces nor backslashes',
  ],
  not_https: ['url_scheme', "URL scheme should be 'https'"],
  has_credentials: ['value_error', 'URL should hold no user name and no password'],
  has_fragment: ['value_error', 'URL should hold no fragment (#)'],
  internal_name: ['value_error', 'URL should name a host of the public internet'],
  not_public: ['value_error', 'URL should not lead to an address that is not public'],
};

const EXTRA = 'Extra inputs are not permitted: `url`, `categories` and `min_signal` can be given';

/** The body of `POST /webhooks` (contract, Webhook registration). */
export function webhookBodySchema(isPublic: IsPublicAddress | null) {
  return z.strictObject(
    {
      url: z
        .string()
        .max(WEBHOOK_LIMITS.urlLength, { abort: true })
        .superRefine((url, context) => {
          const problem = webhookUrlProblem(url, isPublic);
          if (problem !== null) context.addIssue(invalidValue(...URL_PROBLEMS[problem]));
        })
        .meta({
          format: 'uri',
          description: 'The URL that alerts are sent to: https, on the public internet.',
          examples: ['https://example.com/hooks/alerts'],
        }),
      categories: categoryList()
        .nullish()
        .describe(`Comma-separated, of ${CATEGORIES.join(', ')}; all categories if omitted.`),
      min_signal: z
        .number()
        .int()
        .min(0)
        .max(100)
        .nullish()
        .meta({
          description: 'Only alerts with this score or a higher one are sent; all if omitted.',
          examples: [70],
        }),
    },
    { error: ({ code }) => (code === 'unrecognized_keys' ? EXTRA : undefined) },
  );
}
