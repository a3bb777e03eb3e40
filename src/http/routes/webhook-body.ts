import { z } from 'zod';
import { WEBHOOK_EVENTS, WEBHOOK_LIMITS, type WebhookChange } from '../../core/delivery/webhooks/webhook.ts';
import { type FormatProblem, formatProblem } from '../../core/delivery/webhooks/webhook-format.ts';
import {
  type IsPublicAddress,
  type WebhookUrlProblem,
  webhookUrlProblem,
} from '../../core/delivery/webhooks/webhook-url.ts';
import { CATEGORIES } from '../../core/trades/trade.ts';
import { categoryList, wordList } from '../query/query-values.ts';
import { webhookFormat } from '../schemas/enumerations.ts';
import { parameter, score } from '../schemas/fields.ts';
import { invalidValue } from '../schemas/validation.ts';
import { WEBHOOK_EXAMPLE } from '../views/examples.ts';
import { givenFiltersSchema } from '../views/webhook-view.ts';

const URL_PROBLEMS: Readonly<Record<WebhookUrlProblem, readonly [type: string, msg: string]>> = {
  not_a_url: [
    'url_parsing',
    'Input should be a valid URL: https://, a host, and neither spaces nor backslashes',
  ],
  not_https: ['url_scheme', "URL scheme should be 'https'"],
  has_credentials: ['value_error', 'URL should not contain a user name or password'],
  has_fragment: ['value_error', 'URL should not contain a fragment (#)'],
  internal_name: ['value_error', 'URL should name a host of the public internet'],
  reserved_port: ['value_error', 'URL should use port 443 or a port from 1024 up'],
  not_public: ['value_error', 'URL should lead to a public address'],
};

const FORMAT_PROBLEMS: Readonly<Record<FormatProblem, string>> = {
  takes_discord:
    'This URL is a Discord webhook, which accepts only its own format: send `"format": "discord"`',
  takes_slack: 'This URL is a webhook that accepts only the Slack format: send `"format": "slack"`',
  not_a_topic:
    'The path of the URL should be one topic of ntfy: 1 to 64 letters, digits, `-` and `_`, as in https://ntfy.sh/my-topic',
};

const conditions = {
  categories: (without: string) =>
    categoryList()
      .nullish()
      .describe(`Comma-separated list of ${CATEGORIES.join(', ')}; ${without}.`),
  min_signal: (without: string) =>
    score.nullish().meta({
      description: `Only alerts with at least this score are sent; ${without}.`,
      examples: [70],
    }),
  filters: (without: string) =>
    givenFiltersSchema.nullish().describe(`Only alerts that pass all of these filters are sent; ${without}.`),
  events: (without: string) =>
    wordList(WEBHOOK_EVENTS)
      .meta({ type: 'string', examples: ['alert,outcome'] })
      .nullish()
      .describe(`Comma-separated, of alert, outcome; ${without}`),
};

function strict<Shape extends z.ZodRawShape>(shape: Shape, message: string) {
  return z.strictObject(shape, {
    error: ({ code }) => (code === 'unrecognized_keys' ? message : undefined),
  });
}

export function webhookBodySchema(isPublic: IsPublicAddress | null) {
  const shape = {
    url: z
      .string()
      .max(WEBHOOK_LIMITS.urlLength, { abort: true })
      .superRefine((url, context) => {
        const problem = webhookUrlProblem(url, isPublic);
        if (problem !== null) context.addIssue(invalidValue(...URL_PROBLEMS[problem]));
      })
      .meta({
        format: 'uri',
        description:
          'The URL that alerts are sent to: https, on the public internet, port 443 or a port from 1024 up.',
        examples: ['https://example.com/hooks/alerts'],
      }),
    format: parameter(
      webhookFormat,
      'Format of the deliveries, which like the `url` cannot be changed later; `json` if omitted. `json`: the bodies documented here, acknowledged by 200 only. `discord`, `slack` (also Mattermost and others that accept its format), `ntfy`: human-readable messages to a webhook or topic there, acknowledged by any 2xx.',
      'discord',
    ),
    categories: conditions.categories('all categories if omitted'),
    min_signal: conditions.min_signal('all if omitted'),
    filters: conditions.filters('all if omitted'),
    events: conditions.events(
      'alerts only if omitted. An outcome is sent if at least one alert of its market passes the categories, the signal and the filters.',
    ),
  };
  return strict(
    shape,
    'Extra inputs are not permitted: `url`, `format`, `categories`, `min_signal`, `filters` and `events` can be given',
  )
    .superRefine(({ url, format = 'json' }, context) => {
      if (context.issues.length > 0) return;
      const problem = formatProblem(url, format);
      if (problem !== null)
        context.addIssue({ ...invalidValue('value_error', FORMAT_PROBLEMS[problem]), path: ['format'] });
    })
    .meta({
      id: 'RegisterWebhook',
      description: 'Body of `registerWebhook`.',
      examples: [{ url: WEBHOOK_EXAMPLE.url, categories: WEBHOOK_EXAMPLE.categories, min_signal: 60 }],
    });
}

const CHANGEABLE = '`categories`, `min_signal`, `filters`, `events` and `paused` can be changed';

export const webhookChangeSchema = strict(
  {
    categories: conditions.categories('null for all categories'),
    min_signal: conditions.min_signal('null for all'),
    filters: conditions.filters('null for all'),
    events: conditions.events('null for alerts only.'),
    paused: parameter(z.boolean(), 'True pauses deliveries, false resumes them.', true),
  },
  `Extra inputs are not permitted: ${CHANGEABLE}; for another url or format, delete this webhook and register another`,
)
  .superRefine((change, context) => {
    // Unknown fields have been reported before.
    if (context.issues.length > 0 || Object.keys(change).length > 0) return;
    context.addIssue(invalidValue('missing', `Nothing to change: ${CHANGEABLE}`));
  })
  .meta({
    id: 'UpdateWebhook',
    description: 'Body of `updateWebhook`.',
    minProperties: 1,
    examples: [{ paused: true }],
  });

export function changeOf(body: z.infer<typeof webhookChangeSchema>): WebhookChange {
  const { categories, min_signal: minScore, filters, events, paused: isPaused } = body;
  return {
    ...(categories !== undefined && { categories: listOrNull(categories) }),
    ...(minScore !== undefined && { minScore }),
    ...(filters !== undefined && { filters }),
    ...(events !== undefined && { events: listOrNull(events) }),
    ...(isPaused !== undefined && { isPaused }),
  };
}

/** An empty list restricts nothing, like none. */
export function listOrNull<Word>(words: readonly Word[] | null | undefined): readonly Word[] | null {
  return words?.length ? words : null;
}
