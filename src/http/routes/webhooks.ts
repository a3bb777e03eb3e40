import type { FastifyReply, onRequestHookHandler } from 'fastify';
import { z } from 'zod';
import { dateTime } from '../../core/base/text/date-time.ts';
import { WEBHOOK_LIMITS, type WebhookRefusal } from '../../core/delivery/webhooks/webhook.ts';
import { callerOf } from '../hooks/api-key-auth.ts';
import { ignoreBodies } from '../hooks/json-body.ts';
import { refuse } from '../hooks/refuse.ts';
import { errorSchema } from '../schemas/error-codes.ts';
import type { Api, ServerDeps } from '../server-deps.ts';
import {
  refuseWebhook,
  registeredSchema,
  rotatedSchema,
  webhookParams,
  webhookSchema,
  webhooksSchema,
  webhookView,
} from '../views/webhook-view.ts';
import { changeOf, listOrNull, webhookBodySchema, webhookChangeSchema } from './webhook-body.ts';
import { registerRedelivery, registerWebhookDeliveries, registerWebhookTest } from './webhook-deliveries.ts';

const LIMIT_REACHED = `A key has at most ${WEBHOOK_LIMITS.perKey} webhooks. Delete one with DELETE /webhooks/{webhook_id} first.`;

const tags = ['Webhooks'];
const refusals = { 403: errorSchema, 404: errorSchema };

/** Webhooks of the calling key. The scope refuses keys whose tier has no webhooks (contract, Enterprise). */
export function registerWebhooks(app: Api, deps: ServerDeps): void {
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
      registerRedelivery(bodiless, deps);
      registerRemove(bodiless, deps);
    });
  });
}

/** Runs before the body is read. */
const refuseTier: onRequestHookHandler = (request, reply, done) => {
  const { tier, policy } = callerOf(request);
  if (policy.hasWebhooks) return done();
  refuse(reply, 'tier_required', `Webhooks need the enterprise tier; this key is ${tier}.`);
};

function registerCreate(app: Api, { webhooks, isPublicAddress }: ServerDeps): void {
  app.post('/webhooks', {
    schema: {
      operationId: 'registerWebhook',
      summary: 'Register a webhook',
      description:
        'Enterprise. Try the categories, the minimum signal and the filters with `GET /alerts/preview` first, and test the receiver with `POST /webhooks/{webhook_id}/test` afterwards. A key has at most 20, each with a URL of its own.',
      tags,
      body: webhookBodySchema(isPublicAddress),
      response: { 201: registeredSchema, 403: errorSchema, 409: errorSchema },
    },
    async handler(request, reply) {
      const { url, format, categories, min_signal: minScore = null, filters = null, events } = request.body;
      const registered = await webhooks.register(callerOf(request).key.id, {
        url,
        format: format ?? 'json',
        categories: listOrNull(categories),
        minScore,
        filters,
        events: listOrNull(events),
      });
      if (!registered.ok) return refuseRegistration(reply, registered);
      const { webhook, secret } = registered;
      return reply.code(201).send({ id: webhook.id, url: webhook.url, secret });
    },
  });
}

function refuseRegistration(reply: FastifyReply, refusal: WebhookRefusal): FastifyReply {
  if (refusal.reason === 'too_many') return refuse(reply, 'webhook_limit_reached', LIMIT_REACHED);
  const path = `/webhooks/${refusal.id}`;
  return refuse(
    reply,
    'webhook_url_taken',
    `Webhook ${refusal.id} of this key already has this URL. Change it with PATCH ${path} or delete it with DELETE ${path}. POST ${path}/rotate-secret gives it a new secret.`,
  );
}

function registerReads(app: Api, { webhooks }: ServerDeps): void {
  app.get('/webhooks', {
    schema: {
      operationId: 'listWebhooks',
      summary: 'The webhooks of the calling key',
      description: 'Enterprise. All webhooks of the key, oldest first, without secrets.',
      tags,
      response: { 200: webhooksSchema, 403: errorSchema },
    },
    async handler(request) {
      return (await webhooks.store.listByKey(callerOf(request).key.id)).map(webhookView);
    },
  });
  app.get('/webhooks/:webhook_id', {
    schema: {
      operationId: 'getWebhook',
      summary: 'One webhook',
      description: 'Enterprise. A webhook of another key is a 404.',
      tags,
      params: webhookParams,
      response: { ...refusals, 200: webhookSchema },
    },
    async handler(request, reply) {
      const { webhook_id: id } = request.params;
      const webhook = await webhooks.get(callerOf(request).key.id, id);
      return webhook === null ? refuseWebhook(reply, id) : webhookView(webhook);
    },
  });
}

function registerRemove(app: Api, { webhooks }: ServerDeps): void {
  app.delete('/webhooks/:webhook_id', {
    schema: {
      operationId: 'deleteWebhook',
      summary: 'Delete a webhook',
      description:
        'Enterprise. Deliveries to it stop. To pause them instead, use `PATCH` with `{"paused": true}`.',
      tags,
      params: webhookParams,
      response: { ...refusals, 204: z.null().describe('The webhook is deleted.') },
    },
    async handler(request, reply) {
      const { webhook_id: id } = request.params;
      const isRemoved = await webhooks.store.remove(callerOf(request).key.id, id);
      return isRemoved ? reply.code(204).send(null) : refuseWebhook(reply, id);
    },
  });
}

function registerWebhookChange(app: Api, { webhooks }: ServerDeps): void {
  app.patch('/webhooks/:webhook_id', {
    schema: {
      operationId: 'updateWebhook',
      summary: 'Change or pause a webhook',
      description:
        'Enterprise. Omitted fields are kept; null clears `categories`, `min_signal`, `filters` or `events`. The `url` and the `format` cannot be changed: delete the webhook and register another. Changes apply to alerts and outcomes published from now on; deliveries that would be sent during a pause are cancelled.',
      tags,
      params: webhookParams,
      body: webhookChangeSchema,
      response: { ...refusals, 200: webhookSchema },
    },
    async handler(request, reply) {
      const { webhook_id: id } = request.params;
      const webhook = await webhooks.store.update(callerOf(request).key.id, id, changeOf(request.body));
      return webhook === null ? refuseWebhook(reply, id) : webhookView(webhook);
    },
  });
}

function registerWebhookRotation(app: Api, { webhooks }: ServerDeps): void {
  app.post('/webhooks/:webhook_id/rotate-secret', {
    schema: {
      operationId: 'rotateWebhookSecret',
      summary: 'Rotate the secret of a webhook',
      description:
        'Enterprise. The new secret is shown only once. For 24 hours deliveries are signed with the new and the previous secret, so the receiver can switch at any time. Another rotation within that time ends the older of the two immediately.',
      tags,
      params: webhookParams,
      response: { ...refusals, 200: rotatedSchema },
    },
    async handler(request, reply) {
      const { webhook_id: id } = request.params;
      const rotated = await webhooks.rotate(callerOf(request).key.id, id);
      if (rotated === null) return refuseWebhook(reply, id);
      const { secret, previousUntil } = rotated;
      return { id, secret, previous_secret_valid_until: dateTime(previousUntil) };
    },
  });
}
