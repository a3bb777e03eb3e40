import { z } from 'zod';
import { dateTime } from '../../core/base/text/date-time.ts';
import {
  DELIVERY_ERRORS,
  type Delivery,
  ERROR_MEANINGS,
  isTest,
  STATE_MEANINGS,
} from '../../core/delivery/webhooks/delivery.ts';
import type { FinishedTest } from '../../core/delivery/webhooks/webhook-tester.ts';
import { deliveryStatus, named } from '../schemas/enumerations.ts';
import {
  component,
  flag,
  int64OrNull,
  listOf,
  orNull,
  text,
  textOrNull,
  timestamp,
  timestampOrNull,
} from '../schemas/fields.ts';
import { DELIVERIES_EXAMPLE, REPEATED_EXAMPLE, TEST_EXAMPLE } from './examples.ts';

export const STATES_IN_WORDS = inWords(STATE_MEANINGS);
export const ERRORS_IN_WORDS = inWords(ERROR_MEANINGS);

const outcome = {
  response_status: orNull(
    z.number().int(),
    'HTTP status of the answer; null if there was none, or nothing was sent.',
  ),
  duration_ms: orNull(
    z.number().int().min(0),
    'Duration of the attempt; null if there was none, or its outcome is unknown.',
  ),
  error: orNull(
    named('DeliveryError', DELIVERY_ERRORS, 'Why an attempt to deliver failed.'),
    `Why the attempt failed; null if it did not. ${ERRORS_IN_WORDS}`,
  ),
  retry_after: orNull(
    z.number().int().min(0),
    'Seconds that the receiver asked to wait (`Retry-After`) when it refused, for example with 429, at most 7 days; null if it did not. It does not cause a retry.',
  ),
};

const idSchema = text(
  'Id of the delivery: the header `webhook-id`, unless it repeats another delivery, whose header it then carries.',
);

export const testResultSchema = component(
  'WebhookTestResult',
  'The result of a test, whatever the answer of the receiver.',
  TEST_EXAMPLE,
  {
    id: idSchema,
    status: z
      .enum(['delivered', 'failed'])
      .describe('`delivered` if the receiver acknowledged it within 5 seconds.'),
    ...outcome,
    duration_ms: outcome.duration_ms.unwrap().describe('Duration of the attempt.'),
  },
);

export const deliverySchema = component(
  'WebhookDelivery',
  'The delivery of one alert, outcome or exit, or of a test, to one webhook.',
  REPEATED_EXAMPLE,
  {
    id: idSchema,
    alert_id: int64OrNull('The alert; null for others.'),
    outcome: int64OrNull('Number of the outcome; null for others.'),
    exit: int64OrNull('Number of the exit; null for others.'),
    repeats: textOrNull('Id of the delivery that this one repeats at your request; null for others.'),
    test: flag('True for a test.'),
    status: deliveryStatus.describe(STATES_IN_WORDS),
    ...outcome,
    created_at: timestamp('When it was created'),
    finished_at: timestampOrNull('When it ended', 'null while it is pending'),
  },
);

export const deliveriesSchema = component(
  'WebhookDeliveries',
  'A page of the deliveries of a webhook.',
  DELIVERIES_EXAMPLE,
  {
    deliveries: listOf(deliverySchema, 'Newest first.'),
    has_more: flag('Whether there are older deliveries. `Link` leads to them.'),
  },
);

export function testResultView({ id, result }: FinishedTest): z.infer<typeof testResultSchema> {
  const { status, durationMs, error, retryAfterSeconds } = result;
  return {
    id,
    status: error === null ? 'delivered' : 'failed',
    response_status: status,
    duration_ms: durationMs,
    error,
    retry_after: retryAfterSeconds,
  };
}

export function deliveryView(delivery: Delivery): z.infer<typeof deliverySchema> {
  const { id, alertId, state, createdAt, finishedAt, result } = delivery;
  return {
    id,
    alert_id: alertId,
    outcome: delivery.outcome ?? null,
    exit: delivery.exit ?? null,
    repeats: delivery.repeats ?? null,
    test: isTest(delivery),
    status: state,
    response_status: result?.status ?? null,
    duration_ms: result?.durationMs ?? null,
    error: result?.error ?? null,
    retry_after: result?.retryAfterSeconds ?? null,
    created_at: dateTime(createdAt),
    finished_at: finishedAt === null ? null : dateTime(finishedAt),
  };
}

function inWords(meanings: Readonly<Record<string, string>>): string {
  return `${Object.entries(meanings)
    .map(([word, meaning]) => `\`${word}\`: ${meaning}`)
    .join('; ')}.`;
}
