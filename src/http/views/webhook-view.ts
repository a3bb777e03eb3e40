import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { FilterValue } from '../../core/accounts/presets/preset.ts';
import type { LastingFilter } from '../../core/alerts/passes-filter.ts';
import { dateTime } from '../../core/base/text/date-time.ts';
import { SECRET_OVERLAP_MS, type Webhook } from '../../core/delivery/webhooks/webhook.ts';
import { refuse } from '../hooks/refuse.ts';
import { conditionShape, fieldsOf, namesOf } from '../query/alert-query.ts';
import { FILTER_MEMBERS, filterProblem, parseFilter } from '../query/filter-values.ts';
import { webhookFormat } from '../schemas/enumerations.ts';
import {
  component,
  count,
  flag,
  orNull,
  score,
  text,
  timestamp,
  timestampOrNull,
} from '../schemas/fields.ts';
import { REGISTERED_EXAMPLE, ROTATED_EXAMPLE, WEBHOOK_EXAMPLE } from './examples.ts';

const OVERLAP_HOURS = SECRET_OVERLAP_MS / 3_600_000;

const FILTER_NAMES = Object.keys(conditionShape);
const EXTRA = `Extra inputs are not permitted: a webhook filters by ${FILTER_NAMES.map((name) => `\`${name}\``).join(', ')}`;

const described = {
  description:
    'Alert filters, named as in `GET /alerts` and presets. All must match; a null filter is not set.',
  examples: [{ side: 'BUY', min_usdc: 5000 }],
  properties: Object.fromEntries(FILTER_NAMES.map((name) => [name, FILTER_MEMBERS[name]])),
};

/** The filters of presets that an alert passes from its publication on, or never. Null when none is set. */
export const givenFiltersSchema = z
  .looseObject({})
  .superRefine((filters, context) => {
    const keys = Object.keys(filters).filter((name) => !FILTER_NAMES.includes(name));
    if (keys.length > 0) context.addIssue({ code: 'unrecognized_keys', keys, message: EXTRA });
    for (const name of FILTER_NAMES) {
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

const filtersSchema = z
  .looseObject({})
  .meta({ id: 'WebhookFilters', ...described, additionalProperties: undefined });

const idSchema = text('Id of the webhook.', WEBHOOK_EXAMPLE.id);

export const webhookParams = z.object({ webhook_id: idSchema });

const urlSchema = text('The URL that alerts and outcomes are sent to.');

export const registeredSchema = component(
  'WebhookRegistered',
  'The webhook is registered.',
  REGISTERED_EXAMPLE,
  {
    id: idSchema,
    url: urlSchema,
    secret: text('Signs the deliveries (Standard Webhooks). Shown only once.'),
  },
);

/** Named, since generators would call an inline schema `WebhookDeliveries`, the name of another schema. */
const deliveryCountsSchema = component(
  'DeliveryCounts',
  'Deliveries of alerts and outcomes so far, by result, repeated ones included. Tests are not counted. After a crash of the service they may be slightly too low; the log of deliveries is not affected.',
  {
    delivered: count(
      'Deliveries acknowledged within 5 seconds: with 200, or with any 2xx if the `format` is not `json`.',
    ),
    failed: count('Deliveries that ended `failed`, `unknown` or `expired`.'),
    failures_in_a_row: count('Deliveries that ended `failed` since the last `delivered` one.'),
  },
);

export const webhookSchema = component('Webhook', 'A registered webhook.', WEBHOOK_EXAMPLE, {
  id: idSchema,
  url: urlSchema,
  format: webhookFormat.describe(
    'Format of the deliveries: JSON, or human-readable messages for Discord, Slack or ntfy.',
  ),
  categories: z
    .string()
    .nullable()
    .meta({ description: 'Comma-separated; null means every category.', examples: ['crypto,politics'] }),
  min_signal: orNull(score, 'Alerts with at least this score; null means all.'),
  filters: orNull(filtersSchema, 'Further conditions, all of which must match; null means none.'),
  events: text('What is sent, comma-separated: alert, outcome, exit.', 'alert'),
  paused: flag('True: no alerts are sent. Alerts published while it is paused are not sent later.'),
  created_at: timestamp('When it was registered'),
  secret_rotated_at: timestampOrNull('When the secret was last rotated', 'null if never'),
  deliveries: deliveryCountsSchema,
});

export const webhooksSchema = z
  .array(webhookSchema)
  .meta({ id: 'Webhooks', description: 'Oldest first.', examples: [[WEBHOOK_EXAMPLE]] });

export const rotatedSchema = component('WebhookSecretRotated', 'The secret is rotated.', ROTATED_EXAMPLE, {
  id: idSchema,
  secret: text('The new secret. Shown only once.'),
  previous_secret_valid_until: timestamp(
    `The time, ${OVERLAP_HOURS} hours from now, until which deliveries are signed with the new and with the previous secret`,
  ),
});

export function webhookView(webhook: Webhook): z.infer<typeof webhookSchema> {
  const { id, url, format, categories, minScore, filters, events, isPaused, createdAt } = webhook;
  const { rotatedAt, delivered, failed, failuresInRow } = webhook;
  return {
    id,
    url,
    format,
    categories: categories?.join(',') ?? null,
    min_signal: minScore,
    filters: filters === null ? null : namesOf(filters),
    events: events?.join(',') ?? 'alert',
    paused: isPaused,
    created_at: dateTime(createdAt),
    secret_rotated_at: rotatedAt === null ? null : dateTime(rotatedAt),
    deliveries: { delivered, failed, failures_in_a_row: failuresInRow },
  };
}

export function refuseWebhook(reply: FastifyReply, id: string): FastifyReply {
  return refuse(reply, 'webhook_not_found', `Webhook ${id} was not found.`);
}
