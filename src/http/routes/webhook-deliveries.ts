import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { DELIVERY_LIMITS } from '../../core/delivery/webhooks/delivery.ts';
import { REDELIVERY_LIMITS } from '../../core/delivery/webhooks/redeliveries.ts';
import { TEST_LIMITS } from '../../core/delivery/webhooks/webhook-tester.ts';
import { callerOf } from '../hooks/api-key-auth.ts';
import { refuse } from '../hooks/refuse.ts';
import { linkNext } from '../query/cursor.ts';
import { queryLimit } from '../query/query-values.ts';
import { deliveryStatus } from '../schemas/enumerations.ts';
import { type ErrorCode, errorSchema } from '../schemas/error-codes.ts';
import { parameter, text } from '../schemas/fields.ts';
import type { Api, ServerDeps } from '../server-deps.ts';
import {
  deliveriesSchema,
  deliverySchema,
  deliveryView,
  testResultSchema,
  testResultView,
} from '../views/delivery-view.ts';
import { DELIVERY_EXAMPLE } from '../views/examples.ts';
import { refuseWebhook, webhookParams } from '../views/webhook-view.ts';

const tags = ['Webhooks'];
const { perMinute, atOnce } = TEST_LIMITS;
const { perDelivery, perMinute: requestsPerMinute } = REDELIVERY_LIMITS;
const { pageSize, defaultPageSize } = DELIVERY_LIMITS;
const BUSY_RETRY_MS = 5_000;

const querySchema = z.object({
  limit: queryLimit('Maximum number of deliveries.', { max: pageSize, usual: defaultPageSize }),
  before_id: parameter(
    z.string(),
    'Only deliveries older than the one with this `id`; 404 if that delivery no longer exists.',
    DELIVERY_EXAMPLE.id,
  ),
  status: parameter(deliveryStatus, 'Only deliveries with this status.', 'failed'),
});

const redeliveryParams = webhookParams.extend({
  delivery_id: text('Id of the delivery.', DELIVERY_EXAMPLE.id),
});

export function registerWebhookTest(app: Api, { webhookTester }: ServerDeps): void {
  app.post('/webhooks/:webhook_id/test', {
    schema: {
      operationId: 'testWebhook',
      summary: 'Send a test to a webhook',
      description: `Enterprise. Sends an invented alert now, marked with \`"test": true\` and the \`id\` 0, signed like any other (with another \`format\`, a message that says it is a test). The answer is 200 with the result, whatever the receiver answered; this takes up to 5 seconds. A paused webhook can be tested. Tests are listed with the deliveries but not counted. A key may send ${perMinute} tests per minute, ${atOnce} at the same time; more are a 429.`,
      tags,
      params: webhookParams,
      response: { 200: testResultSchema, 403: errorSchema, 404: errorSchema },
    },
    async handler(request, reply) {
      const { webhook_id: id } = request.params;
      const test = await webhookTester.test(callerOf(request).key.id, id);
      if (test.ok) return testResultView(test);
      if (test.reason === 'missing') return refuseWebhook(reply, id);
      const [waitMs, limit] =
        test.reason === 'limited'
          ? [test.resetMs, `A key may send ${perMinute} tests per minute.`]
          : [BUSY_RETRY_MS, `A key may have ${atOnce} tests in progress. Wait for one to end.`];
      return refuseFor(reply, waitMs, 'too_many_tests', `Too many webhook tests. ${limit}`);
    },
  });
}

function refuseFor(reply: FastifyReply, waitMs: number, code: ErrorCode, detail: string): FastifyReply {
  return refuse(reply.header('retry-after', Math.max(1, Math.ceil(waitMs / 1_000))), code, detail);
}

const NOT_REPEATED = {
  test: 'is a test. Send another with POST /webhooks/{webhook_id}/test.',
  paused: 'is not sent again while the webhook is paused. Resume it with PATCH first.',
  not_ended: 'or a repetition of it has not ended. Wait for its end.',
  used_up: `was repeated ${perDelivery} times. GET /alerts/{id} and GET /outcomes return what it carried.`,
};

export function registerRedelivery(app: Api, { redeliveries }: ServerDeps): void {
  app.post('/webhooks/:webhook_id/deliveries/:delivery_id/redeliver', {
    schema: {
      operationId: 'redeliverWebhook',
      summary: 'Repeat a delivery',
      description: `Enterprise. Sends a delivery that has ended again, whatever its result: the same body under the same \`webhook-id\`, signed again. The answer is the new entry of the delivery log, \`requested\` until it is sent, within seconds. At most ${perDelivery} times for each listed delivery, one after the other; a key may request ${requestsPerMinute} per minute. Nothing is repeated without a request.`,
      tags,
      params: redeliveryParams,
      response: { 202: deliverySchema, 403: errorSchema, 404: errorSchema, 409: errorSchema },
    },
    async handler(request, reply) {
      const { webhook_id: id, delivery_id: deliveryId } = request.params;
      const answer = await redeliveries.request(callerOf(request).key.id, id, deliveryId);
      if (answer.ok) return reply.code(202).send(deliveryView(answer.delivery));
      switch (answer.reason) {
        case 'no_webhook':
          return refuseWebhook(reply, id);
        case 'no_delivery':
          return refuse(reply, 'delivery_not_found', `Delivery ${deliveryId} was not found.`);
        case 'limited': {
          const limit = `A key may request ${requestsPerMinute} per minute.`;
          const detail = `Too many repeated deliveries. ${limit}`;
          return refuseFor(reply, answer.resetMs, 'too_many_redeliveries', detail);
        }
        default: {
          const detail = `Delivery ${deliveryId} ${NOT_REPEATED[answer.reason]}`;
          return refuse(reply, 'delivery_not_repeatable', detail);
        }
      }
    },
  });
}

export function registerWebhookDeliveries(app: Api, { webhooks }: ServerDeps): void {
  app.get('/webhooks/:webhook_id/deliveries', {
    schema: {
      operationId: 'listWebhookDeliveries',
      summary: 'The deliveries of a webhook',
      description:
        'Enterprise. The deliveries of at least the last 7 days, newest first, including tests. For the next page, set `before_id` to the last `id` of this one, or follow `Link`.',
      tags,
      params: webhookParams,
      querystring: querySchema,
      response: { 200: deliveriesSchema, 403: errorSchema, 404: errorSchema },
    },
    async handler(request, reply) {
      const { webhook_id: id } = request.params;
      const { limit, before_id: before, status: state } = request.query;
      const found = await webhooks.deliveries(callerOf(request).key.id, id, {
        limit,
        ...(before !== undefined && { before }),
        ...(state !== undefined && { state }),
      });
      if (found.ok) {
        const { deliveries, hasMore: has_more } = found;
        const next = has_more ? { before_id: deliveries.at(-1)?.id ?? null } : null;
        linkNext(request, reply, querySchema.shape, next);
        return { deliveries: deliveries.map(deliveryView), has_more };
      }
      if (found.missing === 'webhook') return refuseWebhook(reply, id);
      const detail = `Delivery ${before} was not found: it is not, or no longer, listed.`;
      return refuse(reply, 'delivery_not_found', detail);
    },
  });
}
