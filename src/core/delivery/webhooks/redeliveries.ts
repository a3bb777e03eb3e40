import type { Refused } from '../../accounts/keys/api-key.ts';
import type { RateLimiter } from '../../accounts/limits/rate-limiter.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { Deliveries } from './deliveries.ts';
import { type Delivery, isEnd, isTest } from './delivery.ts';
import type { WebhookService } from './webhook-service.ts';

/** How often one delivery is repeated, and how many repetitions a key may request. */
export const REDELIVERY_LIMITS = { perDelivery: 5, perMinute: 60 } as const;

/**
 * Why a delivery is not repeated: there is no such webhook or delivery; it is a test; its webhook is paused; it or a repetition of it
 * has not ended; it was repeated `REDELIVERY_LIMITS.perDelivery` times; too many requests in this minute.
 */
export type RedeliveryRefusal =
  | Refused<'no_webhook' | 'no_delivery' | 'test' | 'paused' | 'not_ended' | 'used_up'>
  | (Refused<'limited'> & { readonly resetMs: number });

interface RedeliveriesOptions {
  readonly webhooks: Pick<WebhookService, 'get'>;
  readonly deliveries: Pick<Deliveries, 'byIds' | 'add'>;
  readonly rateLimiter: Pick<RateLimiter, 'consume'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Repeats deliveries at their owner's request only (contract); each repetition is a row sent once. */
export class Redeliveries {
  readonly #options: RedeliveriesOptions;

  constructor(options: RedeliveriesOptions) {
    this.#options = options;
  }

  /**
   * Adds the next repetition, `ID.1` to `ID.5`, of the first delivery. Only one of several concurrent requests adds it.
   */
  async request(
    keyId: string,
    webhookId: string,
    deliveryId: string,
  ): Promise<{ readonly ok: true; readonly delivery: Delivery } | RedeliveryRefusal> {
    const { webhooks, deliveries, rateLimiter, clock } = this.#options;
    const webhook = await webhooks.get(keyId, webhookId);
    if (webhook === null) return { ok: false, reason: 'no_webhook' };
    const verdict = await rateLimiter.consume(`redelivery:${keyId}`, REDELIVERY_LIMITS.perMinute);
    if (!verdict.isAllowed) return { ok: false, reason: 'limited', resetMs: verdict.resetMs };
    const firstId = deliveryId.replace(REPETITION, '');
    const rows = await deliveries.byIds([firstId, ...repetitionIds(firstId)]);
    const first = rows.find(({ id }) => id === firstId);
    if (first?.webhookId !== webhookId || rows.every(({ id }) => id !== deliveryId))
      return { ok: false, reason: 'no_delivery' };
    if (isTest(first)) return { ok: false, reason: 'test' };
    if (webhook.isPaused) return { ok: false, reason: 'paused' };
    if (!rows.every(({ state }) => isEnd(state))) return { ok: false, reason: 'not_ended' };
    const id = repetitionIds(firstId)[rows.length - 1];
    if (id === undefined) return { ok: false, reason: 'used_up' };
    const start = { state: 'requested', createdAt: clock.now(), finishedAt: null, result: null } as const;
    const [delivery] = await deliveries.add([{ ...first, id, repeats: firstId, ...start }]);
    return delivery === undefined ? { ok: false, reason: 'not_ended' } : { ok: true, delivery };
  }
}

/** The suffix of a repetition's id. Ids of first deliveries contain no dot. */
const REPETITION = /\.\d+$/;

function repetitionIds(firstId: string): readonly string[] {
  return Array.from({ length: REDELIVERY_LIMITS.perDelivery }, (_, index) => `${firstId}.${index + 1}`);
}
