import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { callerOf } from '../hooks/api-key-auth.ts';
import { errorSchema } from '../hooks/errors.ts';
import { bodyReplies, invalidReply, tierReplies } from '../schemas/replies.ts';
import { changeOf, webhookChangeSchema } from '../schemas/webhook-change-body.ts';
import type { ServerDeps } from '../server-deps.ts';
import { dateTime } from '../views/date-time.ts';
import {
  rotatedSchema,
  webhookNotFound,
  webhookParams,
  webhookSchema,
  webhookView,
} from '../views/webhook-view.ts';

const tags = ['Webhooks'];

type ChangeDeps = Pick<ServerDeps, 'webhooks'>;

export function registerWebhookChange(app: FastifyInstance, { webhooks }: ChangeDeps): void {
  app.withTypeProvider<ZodTypeProvider>().patch('/webhooks/:webhook_id', {
    schema: {
      operationId: 'updateWebhook',
      summary: 'Change or pause a webhook',
      description:
        'Enterprise. Omitted fields are kept; null clears `categories` or `min_signal`. The `url` cannot be changed: register another webhook instead. Changes apply to alerts published from now on; deliveries that would be sent during a pause are cancelled.',
      tags,
      params: webhookParams,
      body: webhookChangeSchema,
      response: { 200: webhookSchema, 404: errorSchema, ...bodyReplies, ...invalidReply, ...tierReplies },
    },
    async handler(request, reply) {
      const { webhook_id: id } = request.params;
      const webhook = await webhooks.update(callerOf(request).key.id, id, changeOf(request.body));
      return webhook === null ? reply.code(404).send(webhookNotFound(id)) : webhookView(webhook);
    },
  });
}

/** The request has no body. */
export function registerWebhookRotation(app: FastifyInstance, { webhooks }: ChangeDeps): void {
  app.withTypeProvider<ZodTypeProvider>().post('/webhooks/:webhook_id/rotate-secret', {
    schema: {
      operationId: 'rotateWebhookSecret',
      summary: 'Rotate the secret of a webhook',
      description:
        'Enterprise. The new secret is shown only once. For 24 hours deliveries are signed with the new and the previous secret, so that the receiver can switch at any time. Another rotation within that time ends the older of the two immediately.',
      tags,
      params: webhookParams,
      response: { 200: rotatedSchema, 404: errorSchema, 415: errorSchema, ...tierReplies },
    },
    async handler(request, reply) {
      const { webhook_id: id } = request.params;
      const rotated = await webhooks.rotate(callerOf(request).key.id, id);
      if (rotated === null) return reply.code(404).send(webhookNotFound(id));
      const { secret, previousUntil } = rotated;
      return { id, secret, previous_secret_valid_until: dateTime(previousUntil) };
    },
  });
}
