import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { globalRegistry, ZodDefault, ZodObject, ZodType, ZodUndefined } from 'zod';
import { withFreeDelay } from '../../core/alerts/free-delay.ts';
import type { ServerDeps } from '../server-deps.ts';
import { alertSchema, SAMPLE_EXAMPLE, sampleAlertSchema } from '../views/alert-view.ts';
import { ALERT_EXAMPLE, EXIT_EXAMPLE, OUTCOME_EXAMPLE } from '../views/examples.ts';
import { exitEventSchema } from '../views/exit-view.ts';
import { outcomeEventSchema } from '../views/outcome-view.ts';
import { API_INFO, API_TAGS, SECURITY_SCHEMES } from './api-info.ts';
import { finishDocument } from './finish-document.ts';
import type { ApiDocument, JsonSchema, Operation, Parameter } from './openapi-types.ts';

const toJsonSchema = createJsonSchemaTransform({ zodToJsonConfig: { override: restore } });
const nameSchemas = createJsonSchemaTransformObject({ zodToJsonConfig: { override: restore } });

/** Describes every tagged route registered after this call, with the free delay of the service. The document is made on first use, so that it does not delay the start. */
export function describeApi(
  app: FastifyInstance,
  { freeDelayMs }: Pick<ServerDeps, 'freeDelayMs'>,
): () => ApiDocument {
  app.register(swagger, {
    openapi: {
      openapi: '3.1.1',
      info: API_INFO,
      servers: [{ url: '/' }],
      tags: API_TAGS,
      security: [{ bearerAuth: [] }],
      components: { securitySchemes: { bearerAuth: SECURITY_SCHEMES.bearerAuth } },
    },
    hideUntagged: true,
    transform: toJsonSchema,
    transformObject: nameSchemas,
  });
  let document: ApiDocument | null = null;
  return () => {
    if (document !== null) return document;
    const raw = { ...(app.swagger() as unknown as ApiDocument), webhooks: DELIVERY_REQUESTS };
    document = withFreeDelay(finishDocument(raw), freeDelayMs);
    return document;
  };
}

/**
 * Zod omits the default and the examples of transformed schemas, and cannot express "no body". It closes answers, which
 * would make every new field an error in clients that validate: only objects that are strict in requests are closed.
 */
export function restore({
  zodSchema,
  jsonSchema,
}: {
  readonly zodSchema: unknown;
  readonly jsonSchema: { additionalProperties?: unknown };
}): void {
  if (zodSchema instanceof ZodUndefined) Object.assign(jsonSchema, { type: 'null' });
  if (zodSchema instanceof ZodDefault) Object.assign(jsonSchema, { default: zodSchema.def.defaultValue });
  if (zodSchema instanceof ZodObject && zodSchema.def.catchall === undefined) {
    delete jsonSchema.additionalProperties;
  }
  const meta = zodSchema instanceof ZodType ? globalRegistry.get(zodSchema) : undefined;
  for (const name of ['default', 'examples']) {
    if (meta?.[name] !== undefined) Object.assign(jsonSchema, { [name]: meta[name] });
  }
}

function header(name: string, description: string, example: string): Parameter {
  return { in: 'header', name, required: true, description, schema: { type: 'string' }, example };
}

const [alert, sample, outcome, exit] = [
  alertSchema,
  sampleAlertSchema,
  outcomeEventSchema,
  exitEventSchema,
].map((schema) => ({
  $ref: `#/components/schemas/${schema.meta()?.id}`,
}));

function signedHeaders(id: string, same: string): Parameter[] {
  return [
    header(
      'webhook-id',
      `Id of the delivery, the same for the same ${same} and webhook. Use it to drop duplicates.`,
      id,
    ),
    header('webhook-timestamp', 'When it was sent, in seconds since 1970.', '1773480413'),
    header(
      'webhook-signature',
      'Standard Webhooks: `v1,` and base64 of the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}` under the secret. For 24 hours after a rotation there are two, separated by a space.',
      'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    ),
  ];
}

interface SentRequest extends Pick<Operation, 'operationId' | 'summary' | 'description'> {
  readonly id: string;
  readonly about: string;
  readonly schema: JsonSchema;
  readonly examples: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
}

// `Events`, not the tag of the operations on webhooks: generators make one file of each tag, and the later would replace it.
function sent(
  subject: string,
  { id, about, schema, examples, ...operation }: SentRequest,
): { post: Operation } {
  return {
    post: {
      ...operation,
      tags: ['Events'],
      security: [],
      parameters: signedHeaders(id, subject),
      requestBody: {
        required: true,
        description: about,
        content: { 'application/json': { schema, examples } },
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

/** What the service sends to a webhook, for the `webhooks` section (contract, Webhook delivery). */
const DELIVERY_REQUESTS: ApiDocument['webhooks'] = {
  alert: sent('alert', {
    operationId: 'receiveAlert',
    summary: 'An alert for a webhook',
    description:
      'Sent once to the `url` of every webhook whose `categories`, `min_signal` and `filters` the alert passes, and again only when its owner asks for it, whatever the answer is. When a kept connection ends before any byte of an answer, the request is sent once more on a new one, with the same `webhook-id`. Redirects are not followed.',
    id: 'msg_4821_mR8qX2vT0aLw5bNz',
    about: 'The whole alert, as it was published. A test is marked with `"test": true`.',
    schema: { anyOf: [sample, alert] },
    examples: {
      alert: { summary: 'An alert', value: ALERT_EXAMPLE },
      test: { summary: 'A test', value: SAMPLE_EXAMPLE },
    },
  }),
  outcome: sent('outcome', {
    operationId: 'receiveOutcome',
    summary: 'An outcome for a webhook',
    description:
      'Sent to webhooks whose `events` contain `outcome`, if at least one earlier alert of the market passes their conditions. Its `type` distinguishes it from an alert. Sent once, like an alert.',
    id: 'msg_outcome_812_mR8qX2vT0aLw5bNz',
    about: 'The outcome, as `GET /outcomes/{number}` returns it, with its `type`.',
    schema: outcome as JsonSchema,
    examples: { outcome: { summary: 'An outcome', value: { type: 'outcome', ...OUTCOME_EXAMPLE } } },
  }),
  exit: sent('exit', {
    operationId: 'receiveExit',
    summary: 'An exit for a webhook',
    description:
      'Sent to webhooks whose `events` contain `exit`, if the newest alert of its thread passes their conditions. Its `type` distinguishes it from an alert. Sent once, like an alert.',
    id: 'msg_exit_96_mR8qX2vT0aLw5bNz',
    about: 'The exit, as `GET /exits/{number}` returns it, with its `type`.',
    schema: exit as JsonSchema,
    examples: { exit: { summary: 'An exit', value: { type: 'exit', ...EXIT_EXAMPLE } } },
  }),
};
