import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { WEBHOOK_LIMITS } from '../../core/webhooks/webhook.ts';
import { callerOf } from '../hooks/api-key-auth.ts';
import { errorSchema } from '../hooks/errors.ts';
import { ignoreBodies } from '../hooks/ignore-bodies.ts';
import { bodyReplies, invalidReply, tierReplies } from '../schemas/replies.ts';
import { webhookBodySchema } from '../schemas/webhook-body.ts';
import type { ServerDeps } from '../server-deps.ts';
import {
  registeredSchema,
  webhookNotFound,
  webhookParams,
  webhookSchema,
  webhooksSchema,
  webhookView,
} from '../views/webhook-view.ts';
import { registerWebhookChange, registerWebhookRotation } from './webhook-changes.ts';
import { registerWebhookDeliveries, registerWebhookTest } from './webhook-deliveries.ts';

const FULL = {
  detail: `A key has at most ${WEBHOOK_LIMITS.perKey} webhooks. Delete one with DELETE /webhooks/{webhook_id} first.`,
};

const tags = ['Webhooks'];

type WebhookDeps = Pick<ServerDeps, 'webhooks' | 'webhookTester' | 'isPublicAddress'>;

/** Webhooks of the calling key. The scope refuses keys whose tier has no webhooks (contract, Enterprise). */
export function registerWebhooks(app: FastifyInstance, deps: WebhookDeps): void {
  app.register(async (scope) => {
    scope.addHook('onRequest', refuseTier);
    registerCreate(scope, deps);
    registerReads(scope, deps);
    registerWebhookChange(scope, deps);
    registerWebhookDeliveries(scope, deps);
    scope.register(async (bodiless) => {
      ignoreBodies(bodiless);
      registerWebhookRotation(bodiless, deps);
      registerWebhookTest(bodiless, deps);
      registerRemove(bodiless, deps);
    });
  });
}

/** Runs before the body is read. */
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
        'Enterprise. Try the categories and the minimum signal with `GET /alerts/preview` first, and test the receiver with `POST /webhooks/{webhook_id}/test` afterwards. A key has at most 20.',
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

function registerReads(app: FastifyInstance, { webhooks }: WebhookDeps): void {
  const typed = app.withTypeProvider<ZodTypeProvider>();
  typed.get('/webhooks', {
    schema: {
      operationId: 'listWebhooks',
      summary: 'The webhooks of the calling key',
      description: 'Enterprise. All of them, oldest first, without secrets.',
      tags,
      response: { 200: webhooksSchema, ...tierReplies },
    },
    async handler(request) {
      return (await webhooks.list(callerOf(request).key.id)).map(webhookView);
    },
  });
  typed.get('/webhooks/:webhook_id', {
    schema: {
      operationId: 'getWebhook',
      summary: 'One webhook',
      description: 'Enterprise. A webhook of another key does not exist.',
      tags,
      params: webhookParams,
      response: { 200: webhookSchema, 404: errorSchema, ...tierReplies },
    },
    async handler(request, reply) {
      const { webhook_id: id } = request.params;
      const webhook = await webhooks.get(callerOf(request).key.id, id);
      return webhook === null ? reply.code(404).send(webhookNotFound(id)) : webhookView(webhook);
    },
  });
}

function registerRemove(app: FastifyInstance, { webhooks }: WebhookDeps): void {
  app.withTypeProvider<ZodTypeProvider>().delete('/webhooks/:webhook_id', {
    schema: {
      operationId: 'deleteWebhook',
      summary: 'Delete a webhook',
      description: 'Enterprise. Deliveries to it stop. To pause them use `PATCH` with `{"paused": true}`.',
      tags,
      params: webhookParams,
      response: {
        204: z.null().describe('The webhook is deleted.'),
        404: errorSchema,
        415: errorSchema,
        ...tierReplies,
      },
    },
    async handler(request, reply) {
      const { webhook_id: id } = request.params;
      const isRemoved = await webhooks.remove(callerOf(request).key.id, id);
      return isRemoved ? reply.code(204).send(null) : reply.code(404).send(webhookNotFound(id));
    },
  });
}
