import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';
import type { AttemptResult } from './delivery.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import type { DeliveryQueue } from './delivery-queue.ts';
import type { Outcomes } from './outcomes.ts';
import type { WaitingDelivery } from './target-queues.ts';
import type { WebhookMessage, WebhookSender } from './webhook-sender.ts';

interface AttemptOptions {
  readonly queue: Pick<DeliveryQueue, 'release'>;
  readonly outcomes: Pick<Outcomes, 'add'>;
  readonly sender: Pick<WebhookSender, 'send'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Pick<Logger, 'debug' | 'error'>;
  readonly metrics: Pick<DeliveryMetrics, 'deliveryAttempted'>;
}

/** Makes one attempt of each claimed delivery, passes its outcome on and frees its slot. */
export class Attempts {
  readonly #options: AttemptOptions;
  readonly #running = new Set<Promise<void>>();

  constructor(options: AttemptOptions) {
    this.#options = options;
  }

  /** `onEnd` is called when the slot is free again. */
  start(candidate: WaitingDelivery, message: WebhookMessage, onEnd: () => void): void {
    const work = this.#attempt(candidate, message).finally(() => {
      this.#running.delete(work);
      onEnd();
    });
    this.#running.add(work);
  }

  /** Ends a claimed delivery without an attempt. */
  cancel(candidate: WaitingDelivery): void {
    this.#end(candidate, 'cancelled', null);
  }

  /** Resolves when the attempts that are in flight now have ended. */
  async ended(): Promise<void> {
    await Promise.all(this.#running);
  }

  async #attempt(candidate: WaitingDelivery, message: WebhookMessage): Promise<void> {
    const { sender, metrics, logger } = this.#options;
    try {
      const result = await sender.send(message);
      metrics.deliveryAttempted(result.durationMs);
      this.#end(candidate, result.error === null ? 'delivered' : 'failed', result);
    } catch (error) {
      const { webhookId: webhook, alertId: alert } = candidate;
      logger.error({ err: error, webhook, alert }, 'webhook delivery failed; its outcome is unknown');
      this.#end(candidate, 'unknown', null);
    }
  }

  #end(
    candidate: WaitingDelivery,
    state: 'delivered' | 'failed' | 'unknown' | 'cancelled',
    result: AttemptResult | null,
  ): void {
    const { queue, outcomes, clock, logger } = this.#options;
    const { id, webhookId, alertId, host } = candidate;
    logger.debug({ webhook: webhookId, alert: alertId, host, outcome: state, ...result }, 'webhook delivery');
    outcomes.add({ id, webhookId, alertId, state, finishedAt: clock.now(), result });
    queue.release(candidate, result === null ? null : hasAnswered(result));
  }
}

/** Whether the host answered at all. */
function hasAnswered({ status, error }: AttemptResult): boolean {
  return status !== null && error !== 'timeout';
}
