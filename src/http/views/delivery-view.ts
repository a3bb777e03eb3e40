import { z } from 'zod';
import {
  DELIVERY_ERRORS,
  DELIVERY_STATES,
  type Delivery,
  ERROR_MEANINGS,
  STATE_MEANINGS,
} from '../../core/webhooks/delivery.ts';
import type { FinishedTest } from '../../core/webhooks/webhook-tester.ts';
import { DELIVERIES_EXAMPLE, TEST_EXAMPLE } from '../documents/examples.ts';
import { dateTime } from './date-time.ts';

/** What each state is, in one line. */
export const STATES_IN_WORDS = inWords(DELIVERY_STATES, STATE_MEANINGS);
/** What each error is, in one line. */
export const ERRORS_IN_WORDS = inWords(DELIVERY_ERRORS, ERROR_MEANINGS);

/** What the receiver made of an attempt; of each delivery, and of a test at once. */
const outcome = {
  response_status: z
    .number()
    .int()
    .nullable()
    .describe('Status of the answer; null when none came, or nothing was sent.'),
  duration_ms: z
    .number()
    .int()
    .min(0)
    .nullable()
    .describe('From the beginning of the attempt to its end; null when there was none, or nobody knows.'),
  error: z
    .enum(DELIVERY_ERRORS)
    .nullable()
    .describe(`Why the attempt failed; null when it did not. ${ERRORS_IN_WORDS}`),
};

const idSchema = z.string().describe('Id of the delivery: the header `webhook-id`.');

export const testResultSchema = z
  .object({
    id: idSchema,
    status: z
      .enum(['delivered', 'failed'])
      .describe('`delivered` when it was answered 200 within 5 seconds.'),
    ...outcome,
    duration_ms: outcome.duration_ms.unwrap().describe('From the beginning of the attempt to its end.'),
  })
  .meta({
    id: 'WebhookTestResult',
    description: 'What came of the test, whatever the receiver said.',
    examples: [TEST_EXAMPLE],
  });

const deliverySchema = z
  .object({
    id: idSchema,
    alert_id: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'The alert; null for a test.', format: 'int64' }),
    test: z.boolean().describe('True for a test that was asked for.'),
    status: z.enum(DELIVERY_STATES).describe(STATES_IN_WORDS),
    ...outcome,
    created_at: z.string().describe('When it was due, UTC.'),
    finished_at: z.string().nullable().describe('When it ended, UTC; null while it has not.'),
  })
  .meta({ id: 'WebhookDelivery', description: 'One alert, or a test, for one webhook.' });

export const deliveriesSchema = z
  .object({
    deliveries: z.array(deliverySchema).describe('Newest first.'),
    has_more: z.boolean().describe('Whether older ones follow.'),
  })
  .meta({
    id: 'WebhookDeliveries',
    description: 'A page of the log of a webhook.',
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
    test: alertId === null,
    status: state,
    response_status: result?.status ?? null,
    duration_ms: result?.durationMs ?? null,
    error: result?.error ?? null,
    created_at: dateTime(createdAt),
    finished_at: finishedAt === null ? null : dateTime(finishedAt),
  };
}

function inWords<Word extends string>(
  words: readonly Word[],
  meanings: Readonly<Record<Word, string>>,
): string {
  return `${words.map((word) => `\`${word}\`: ${meanings[word]}`).join('; ')}.`;
}
