import { z } from 'zod';
import { SECRET_OVERLAP_MS, type Webhook } from '../../core/delivery/webhooks/webhook.ts';
import { count, score } from '../schemas/fields.ts';
import { dateTime } from './date-time.ts';
import { REGISTERED_EXAMPLE, ROTATED_EXAMPLE, WEBHOOK_EXAMPLE } from './examples.ts';
import { filtersView, webhookFiltersSchema } from './webhook-filters.ts';

const OVERLAP_HOURS = SECRET_OVERLAP_MS / 3_600_000;

export const webhookIdSchema = z
  .string()
  .meta({ description: 'Id of the webhook.', examples: [WEBHOOK_EXAMPLE.id] });

/** Path parameters of the routes of one webhook. */
export const webhookParams = z.object({ webhook_id: webhookIdSchema });

const urlSchema = z.string().describe('The URL that alerts and outcomes are sent to.');

export const registeredSchema = z
  .object({
    id: webhookIdSchema,
    url: urlSchema,
    secret: z.string().describe('Signs the deliveries (Standard Webhooks). Shown only once.'),
  })
  .meta({
    id: 'WebhookRegistered',
    description: 'The webhook is registered.',
    examples: [REGISTERED_EXAMPLE],
  });

/** Named, since generators would call an inline schema `WebhookDeliveries`, the name of another schema. */
const deliveryCountsSchema = z
  .object({
    delivered: count('Deliveries answered 200 within 5 seconds.'),
    failed: count('Deliveries that ended `failed`, `unknown` or `expired`.'),
    failures_in_a_row: count('Deliveries that ended `failed` since the last `delivered` one.'),
  })
  .meta({
    id: 'DeliveryCounts',
    description:
      'Deliveries of alerts and outcomes so far, by result, repeated ones included. Tests are not counted.',
  });

export const webhookSchema = z
  .object({
    id: webhookIdSchema,
    url: urlSchema,
    categories: z
      .string()
      .nullable()
      .meta({ description: 'Comma-separated; null is every category.', examples: ['crypto,politics'] }),
    min_signal: score.nullable().describe('Alerts of this score or above; null is all.'),
    filters: webhookFiltersSchema
      .nullable()
      .describe('Further conditions, which all must match; null is none.'),
    events: z
      .string()
      .meta({ description: 'What is sent, comma-separated: alert, outcome.', examples: ['alert'] }),
    paused: z
      .boolean()
      .describe('True: no alerts are sent. Alerts published while it is paused are not sent later.'),
    created_at: z.string().meta({ description: 'UTC.', examples: [WEBHOOK_EXAMPLE.created_at] }),
    secret_rotated_at: z
      .string()
      .nullable()
      .describe('When the secret was last rotated, UTC; null if never.'),
    deliveries: deliveryCountsSchema,
  })
  .meta({ id: 'Webhook', description: 'A registered webhook.', examples: [WEBHOOK_EXAMPLE] });

export const webhooksSchema = z
  .array(webhookSchema)
  .meta({ id: 'Webhooks', description: 'Oldest first.', examples: [[WEBHOOK_EXAMPLE]] });

export const rotatedSchema = z
  .object({
    id: webhookIdSchema,
    secret: z.string().describe('The new secret. Shown only once.'),
    previous_secret_valid_until: z
      .string()
      .describe(
        `UTC, ${OVERLAP_HOURS} hours from now. Until then deliveries are signed with the new and with the previous secret.`,
      ),
  })
  .meta({ id: 'WebhookSecretRotated', description: 'The secret is rotated.', examples: [ROTATED_EXAMPLE] });

export function webhookView(webhook: Webhook): z.infer<typeof webhookSchema> {
  const { id, url, categories, minScore, filters, events, isPaused, createdAt, rotatedAt } = webhook;
  const { delivered, failed, failuresInRow } = webhook;
  return {
    id,
    url,
    categories: categories?.join(',') ?? null,
    min_signal: minScore,
    filters: filtersView(filters),
    events: events?.join(',') ?? 'alert',
    paused: isPaused,
    created_at: dateTime(createdAt),
    secret_rotated_at: rotatedAt === null ? null : dateTime(rotatedAt),
    deliveries: { delivered, failed, failures_in_a_row: failuresInRow },
  };
}

export function webhookNotFound(id: string) {
  return { detail: `Webhook ${id} was not found.`, code: 'webhook_not_found' } as const;
}
