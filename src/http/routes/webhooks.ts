import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { WEBHOOK_LIMITS, type Webhook } from '../../core/webhooks/webhook.ts';
import { callerOf } from '../access.ts';
import { dateTime } from '../date-time.ts';
import { errorSchema } from '../errors.ts';
import { REGISTERED_EXAMPLE, WEBHOOK_EXAMPLE } from '../examples.ts';
import { ignoreBodies } from '../ignore-bodies.ts';
import { bodyReplies, invalidReply, protectedReplies } from '../replies.ts';
import type { ServerDeps } from '../server-deps.ts';
import { webhookBodySchema } from '../webhook-body.ts';

const idSchema = z.string().meta({ description: 'Id of the webhook.', examples: [WEBHOOK_EXAMPLE.id] });

const urlSchema = z.string().describe('Where alerts are posted to.');

const registeredSchema = z
  .object({
    id: idSchema,
    url: urlSchema,
    secret: z.string().describe('Signs the deliveries (Standard Webhooks). Shown this once.'),
  })
  .meta({
    id: 'WebhookRegistered',
    description: 'The webhook is registered.',
    examples: [REGISTERED_EXAMPLE],
  });

const webhookSchema = z
  .object({
    id: idSchema,
    url: urlSchema,
    categories: z
      .string()
      .nullable()
      .meta({ description: 'Comma-separated; null is every category.', examples: ['crypto,politics'] }),
    min_signal: z
      .number()
      .int()
      .min(0)
      .max(100)
      .nullable()
      .describe('Alerts of this score or above; null is all.'),
    created_at: z.string().meta({ description: 'UTC.', examples: [WEBHOOK_EXAMPLE.created_at] }),
    deliveries: z
      .object({
        delivered: z.number().int().min(0).describe('Acknowledged with 200 within 5 seconds.'),
        failed: z.number().int().min(0).describe('All others.'),
      })
      .describe('Deliveries so far, by how they ended.'),
  })
  .meta({ id: 'Webhook', description: 'A registered webhook.', examples: [WEBHOOK_EXAMPLE] });

const webhooksSchema = z
  .array(webhookSchema)
  .meta({ id: 'Webhooks', description: 'Oldest first.', examples: [[WEBHOOK_EXAMPLE]] });

const FULL = {
  detail: `A key has at most ${WEBHOOK_LIMITS.perKey} webhooks. Delete one with DELETE /webhooks/{webhook_id} first.`,
};

const tags = ['Webhooks'];
const tierReplies = { 403: errorSchema, ...protectedReplies };

type WebhookDeps = Pick<ServerDeps, 'webhooks' | 'isPublicAddress'>;

/** Webhooks of the calling key; a scope that a key whose tier lacks them does not enter (contract, Enterprise). */
export function registerWebhooks(app: FastifyInstance, deps: WebhookDeps): void {
  app.register(async (scope) => {
    scope.addHook('onRequest', refuseTier);
    registerCreate(scope, deps);
    registerList(scope, deps);
    scope.register(async (bodiless) => {
      ignoreBodies(bodiless);
      registerRemove(bodiless, deps);
    });
  });
}

/** Before a body is read: what it holds does not matter to a key that may not send it. */
const refuseTier: onRequestHookHandler = (request, reply, done) => {
  const { tier, policy } = callerOf(request);
  if (policy.hasWebhooks) return done();
  void reply.code(403).send({ detail: `Webhooks need the enterprise tier; this key is ${tier}.` });
};

function registerCreate(app: FastifyInstance, { webhooks, isPublicAddress }: WebhookDeps): void {
  app.withTypeProvider<ZodTypeProvider>().post('/webhooks', {
    schema: {
      operationId: 'registerWebhook',
      summary: 'Register a webhook',
      description:
        'Enterprise. Try its categories and minimum signal with `GET /alerts/preview` first. A key has at most 20.',
      tags,
      body: webhookBodySchema(isPublicAddress),
      response: {
        201: registeredSchema,
        409: errorSchema,
        ...bodyReplies,
        ...invalidReply,
        ...tierReplies,
      },
    },
    async handler(request, reply) {
      const { url, categories, min_signal: minScore = null } = request.body;
      const asked = { url, categories: categories?.length ? categories : null, minScore };
      const registered = await webhooks.register(callerOf(request).key.id, asked);
      if (registered === null) return reply.code(409).send(FULL);
      const { webhook, secret } = registered;
      return reply.code(201).send({ id: webhook.id, url: webhook.url, secret });
    },
  });
}

function registerList(app: FastifyInstance, { webhooks }: WebhookDeps): void {
  app.withTypeProvider<ZodTypeProvider>().get('/webhooks', {
    schema: {
      operationId: 'listWebhooks',
      summary: 'The webhooks of the calling key',
      description: 'Enterprise. All of them, oldest first; secrets are not shown again.',
      tags,
      response: { 200: webhooksSchema, ...tierReplies },
    },
    async handler(request) {
      return (await webhooks.list(callerOf(request).key.id)).map(webhookView);
    },
  });
}

function registerRemove(app: FastifyInstance, { webhooks }: WebhookDeps): void {
  app.withTypeProvider<ZodTypeProvider>().delete('/webhooks/:webhook_id', {
    schema: {
      operationId: 'deleteWebhook',
      summary: 'Delete a webhook',
      description: 'Enterprise. Deliveries to it stop.',
      tags,
      params: z.object({ webhook_id: idSchema }),
      response: {
        204: z.null().describe('It is gone; deliveries stop.'),
        404: errorSchema,
        415: errorSchema,
        ...tierReplies,
      },
    },
    async handler(request, reply) {
      const { webhook_id: id } = request.params;
      const isRemoved = await webhooks.remove(callerOf(request).key.id, id);
      if (isRemoved) return reply.code(204).send(null);
      return reply.code(404).send({ detail: `Webhook ${id} was not found.` });
    },
  });
}

function webhookView(webhook: Webhook): z.infer<typeof webhookSchema> {
  const { id, url, categories, minScore, createdAt, delivered, failed } = webhook;
  return {
    id,
    url,
    categories: categories?.join(',') ?? null,
    min_signal: minScore,
    created_at: dateTime(createdAt),
    deliveries: { delivered, failed },
  };
}
