import { type ZodType, z } from 'zod';
import { text } from '../schemas/fields.ts';
import type { JsonSchemas } from '../schemas/json-schema.ts';
import { alertSchema, SAMPLE_EXAMPLE, sampleAlertSchema } from '../views/alert-view.ts';
import { ALERT_EXAMPLE, EXIT_EXAMPLE, OUTCOME_EXAMPLE } from '../views/examples.ts';
import { exitEventSchema } from '../views/exit-view.ts';
import { outcomeEventSchema } from '../views/outcome-view.ts';
import { parametersIn } from './describe-operation.ts';
import type { Media, Operation, StatedOperation } from './openapi-types.ts';

/** What the service sends to a webhook, for the `webhooks` section (contract, Webhook delivery). */
export function describeDeliveries(schemas: JsonSchemas) {
  return {
    alert: sent(schemas, 'alert', {
      operationId: 'receiveAlert',
      summary: 'An alert for a webhook',
      description:
        'Sent once to the `url` of every webhook whose `categories`, `min_signal` and `filters` the alert passes, and again only when its owner asks for it, whatever the answer is. When a kept connection ends before any byte of an answer, the request is sent once more on a new one, with the same `webhook-id`. Redirects are not followed.',
      id: 'msg_4821_mR8qX2vT0aLw5bNz',
      about: 'The whole alert, as it was published. A test is marked with `"test": true`.',
      schema: z.union([sampleAlertSchema, alertSchema]),
      examples: {
        alert: { summary: 'An alert', value: ALERT_EXAMPLE },
        test: { summary: 'A test', value: SAMPLE_EXAMPLE },
      },
    }),
    outcome: sent(schemas, 'outcome', {
      operationId: 'receiveOutcome',
      summary: 'An outcome for a webhook',
      description:
        'Sent to webhooks whose `events` contain `outcome`, if at least one earlier alert of the market passes their conditions. Its `type` distinguishes it from an alert. Sent once, like an alert.',
      id: 'msg_outcome_812_mR8qX2vT0aLw5bNz',
      about: 'The outcome, as `GET /outcomes/{number}` returns it, with its `type`.',
      schema: outcomeEventSchema,
      examples: { outcome: { summary: 'An outcome', value: { type: 'outcome', ...OUTCOME_EXAMPLE } } },
    }),
    exit: sent(schemas, 'exit', {
      operationId: 'receiveExit',
      summary: 'An exit for a webhook',
      description:
        'Sent to webhooks whose `events` contain `exit`, if the newest alert of its thread passes their conditions. Its `type` distinguishes it from an alert. Sent once, like an alert.',
      id: 'msg_exit_96_mR8qX2vT0aLw5bNz',
      about: 'The exit, as `GET /exits/{number}` returns it, with its `type`.',
      schema: exitEventSchema,
      examples: { exit: { summary: 'An exit', value: { type: 'exit', ...EXIT_EXAMPLE } } },
    }),
  };
}

interface Delivery extends StatedOperation {
  readonly id: string;
  readonly about: string;
  readonly schema: ZodType;
  readonly examples: NonNullable<Media['examples']>;
}

// `Events`, not the tag of the operations on webhooks: generators make one file of each tag, and the later would replace it.
function sent(schemas: JsonSchemas, subject: string, delivery: Delivery): { readonly post: Operation } {
  const { id, about, schema, examples, ...operation } = delivery;
  return {
    post: {
      ...operation,
      tags: ['Events'],
      security: [],
      parameters: parametersIn('header', signedHeaders(subject, id), schemas),
      requestBody: {
        required: true,
        description: about,
        content: { 'application/json': { schema: schemas.of(schema, 'output'), examples } },
      },
      responses: {
        200: {
          description:
            'Received. Only this status counts, and only within 5 seconds, including the time to connect.',
        },
        default: { description: 'Any other answer is a failed delivery.' },
      },
    },
  };
}

function signedHeaders(subject: string, id: string) {
  return z.object({
    'webhook-id': text(
      `Id of the delivery, the same for the same ${subject} and webhook. Use it to drop duplicates.`,
      id,
    ),
    'webhook-timestamp': text('When it was sent, in seconds since 1970.', '1773480413'),
    'webhook-signature': text(
      'Standard Webhooks: `v1,` and base64 of the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}` under the secret. For 24 hours after a rotation there are two, separated by a space.',
      'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    ),
  });
}
