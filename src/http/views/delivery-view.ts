import { z } from 'zod';
import {
  DELIVERY_ERRORS,
  DELIVERY_STATES,
  type Delivery,
  ERROR_MEANINGS,
  isTest,
  STATE_MEANINGS,
} from '../../core/delivery/webhooks/delivery.ts';
import type { FinishedTest } from '../../core/delivery/webhooks/webhook-tester.ts';
import { dateTime } from './date-time.ts';
import { DELIVERIES_EXAMPLE, REPEATED_EXAMPLE, TEST_EXAMPLE } from './examples.ts';

/** The states of a delivery with their meanings. */
export const STATES_IN_WORDS = inWords(STATE_MEANINGS);
/** The errors of a delivery with their meanings. */
export const ERRORS_IN_WORDS = inWords(ERROR_MEANINGS);

/** The result of an attempt, for deliveries and tests. */
const outcome = {
  response_status: z
    .number()
    .int()
    .nullable()
    .describe('HTTP status of the answer; null if there was none, or nothing was sent.'),
  duration_ms: z
    .number()
    .int()
    .min(0)
    .nullable()
    .describe('Duration of the attempt; null if there was none, or its outcome is unknown.'),
  error: z
    .enum(DELIVERY_ERRORS)
    .nullable()
    .describe(`Why the attempt failed; null if it did not. ${ERRORS_IN_WORDS}`),
};

const idSchema = z
  .string()
  .describe('Id of the delivery: the header `webhook-id`, unless it repeats another, whose header it has.');

export const testResultSchema = z
  .object({
    id: idSchema,
    status: z.enum(['delivered', 'failed']).describe('`delivered` if the answer was 200 within 5 seconds.'),
    ...outcome,
    duration_ms: outcome.duration_ms.unwrap().describe('Duration of the attempt.'),
  })
  .meta({
    id: 'WebhookTestResult',
    description: 'The result of a test, whatever the answer of the receiver.',
    examples: [TEST_EXAMPLE],
  });

export const deliverySchema = z
  .object({
    id: idSchema,
    alert_id: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'The alert; null for an outcome and for a test.', format: 'int64' }),
    outcome: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'Number of the outcome; null for an alert and for a test.', format: 'int64' }),
    repeats: z
      .string()
      .nullable()
      .describe('Id of the delivery that this one repeats at your request; null for others.'),
    test: z.boolean().describe('True for a test.'),
    status: z.enum(DELIVERY_STATES).describe(STATES_IN_WORDS),
    ...outcome,
    created_at: z.string().describe('When it was created, UTC.'),
    finished_at: z.string().nullable().describe('When it ended, UTC; null while it is pending.'),
  })
  .meta({
    id: 'WebhookDelivery',
    description: 'The delivery of one alert or outcome, or of a test, to one webhook.',
    examples: [REPEATED_EXAMPLE],
  });

export const deliveriesSchema = z
  .object({
    deliveries: z.array(deliverySchema).describe('Newest first.'),
    has_more: z.boolean().describe('Whether there are older deliveries.'),
  })
  .meta({
    id: 'WebhookDeliveries',
    description: 'A page of the deliveries of a webhook.',
    examples: [DELIVERIES_EXAMPLE],
  });

export function testResultView({ id, result }: FinishedTest): z.infer<typeof testResultSchema> {
  const { status, durationMs, error } = result;
  return {
    id,
    status: error === null ? 'delivered' : 'failed',
    response_status: status,
    duration_ms: durationMs,
    error,
  };
}

export function deliveryView(delivery: Delivery): z.infer<typeof deliverySchema> {
  const { id, alertId, state, createdAt, finishedAt, result } = delivery;
  return {
    id,
    alert_id: alertId,
    outcome: delivery.outcome ?? null,
    repeats: delivery.repeats ?? null,
    test: isTest(delivery),
    status: state,
    response_status: result?.status ?? null,
    duration_ms: result?.durationMs ?? null,
    error: result?.error ?? null,
    created_at: dateTime(createdAt),
    finished_at: finishedAt === null ? null : dateTime(finishedAt),
  };
}

function inWords(meanings: Readonly<Record<string, string>>): string {
  return `${Object.entries(meanings)
    .map(([word, meaning]) => `\`${word}\`: ${meaning}`)
    .join('; ')}.`;
}
