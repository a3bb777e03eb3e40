import type { RetryUntilAnswered } from '../async/retry-until-answered.ts';
import type { ChatOutbox } from '../chat/chat-outbox.ts';
import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';
import { type Delivery, FAILURES_BEFORE_NOTICE } from './delivery.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import type { Webhook } from './webhook.ts';
import type { WebhookCounts, WebhookStore } from './webhook-store.ts';

/** A delivery that has ended, in the store as well. */
export type EndedDelivery = Pick<Delivery, 'webhookId' | 'alertId' | 'state'>;

/** What counting stands on. */
export interface CountDeps {
  readonly webhooks: Pick<WebhookStore, 'addCounts'>;
  readonly chat: ChatOutbox;
  readonly retryUntilAnswered: RetryUntilAnswered;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly metrics: Pick<DeliveryMetrics, 'deliveryEnded'>;
  /** Whether a write that failed with this error may have happened or may still happen. */
  readonly isOutcomeUnknown: (error: unknown) => boolean;
}

/**
 * Adds ended deliveries, in the order they ended, to their webhooks' counts, and tells an owner once a row of failures
 * (design, 20 in a row). Gives up when the signal aborts. When an answer of the store is lost the count may be short:
 * adding is not idempotent, so that it is not repeated.
 */
export async function countEnded(
  deps: CountDeps,
  ended: readonly EndedDelivery[],
  signal: AbortSignal,
): Promise<void> {
  for (const { state } of ended) if (isEnd(state)) deps.metrics.deliveryEnded(state);
  const counts = webhookCountsOf(ended);
  if (counts.length === 0) return;
  const limits = { signal, isFinal: deps.isOutcomeUnknown };
  const changed = (await deps.retryUntilAnswered(() => deps.webhooks.addCounts(counts), limits)) ?? [];
  const failed = new Set(counts.filter(({ failuresAtEnd }) => failuresAtEnd > 0).map(({ id }) => id));
  for (const webhook of changed) {
    if (webhook.failuresInRow >= FAILURES_BEFORE_NOTICE && failed.has(webhook.id))
      await notifyOwner(deps, webhook, signal);
  }
}

/** What was delivered does not change within a row of failures: it names the row. */
async function notifyOwner(deps: CountDeps, webhook: Webhook, signal: AbortSignal): Promise<void> {
  const { id: webhookId, keyId, failuresInRow: failures, delivered } = webhook;
  const address = URL.parse(webhook.url);
  const now = deps.clock.now();
  const message = {
    id: `webhook_failing:${webhookId}:${delivered}`,
    recipient: `key:${keyId}`,
    kind: 'webhook_failing',
    facts: { webhookId, url: address === null ? '' : address.origin + address.pathname, failures },
    createdAt: now,
    dueAt: now,
  } as const;
  const added = await deps.retryUntilAnswered(() => deps.chat.add([message]), { signal });
  if (added !== null && added.length > 0)
    deps.logger.warn({ webhook: webhookId, host: address?.host, failures }, 'a webhook keeps failing');
}

function isEnd(state: Delivery['state']): state is Exclude<Delivery['state'], 'pending' | 'claimed'> {
  return state !== 'pending' && state !== 'claimed';
}

/** A test that the owner asked for is not counted, nor what was cancelled. */
function webhookCountsOf(ended: readonly EndedDelivery[]): readonly WebhookCounts[] {
  const counts = new Map<string, WebhookCounts>();
  for (const { webhookId: id, alertId, state } of ended) {
    if (alertId === null || !isEnd(state) || state === 'cancelled') continue;
    const so = counts.get(id) ?? { id, delivered: 0, failed: 0, failuresAtEnd: 0 };
    counts.set(id, { ...so, ...addedTo(so, state) });
  }
  return [...counts.values()];
}

/** Only an attempt that failed belongs to the row of failures: nobody knows what the others would have been. */
function addedTo({ delivered, failed, failuresAtEnd }: WebhookCounts, state: Delivery['state']) {
  if (state === 'delivered') return { delivered: delivered + 1, failuresAtEnd: 0 };
  return { failed: failed + 1, failuresAtEnd: failuresAtEnd + Number(state === 'failed') };
}
