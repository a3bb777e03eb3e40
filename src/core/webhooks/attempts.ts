import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';
import type { AttemptResult } from './delivery.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import type { DeliveryQueue } from './delivery-queue.ts';
import type { Outcomes } from './outcomes.ts';
import type { WaitingDelivery } from './target-queues.ts';
import type { WebhookMessage, WebhookSender } from './webhook-sender.ts';

/** What attempts stand on. */
export interface AttemptDeps {
  readonly queue: Pick<DeliveryQueue, 'release'>;
  readonly outcomes: Pick<Outcomes, 'add'>;
  readonly sender: Pick<WebhookSender, 'send'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Pick<Logger, 'debug' | 'error'>;
  readonly metrics: Pick<DeliveryMetrics, 'deliveryAttempted'>;
}

/** Makes one attempt of each claimed delivery, hands on what came of it and gives its place back. */
export interface Attempts {
  /** `onEnd` is told when there is a place again. */
  start(candidate: WaitingDelivery, message: WebhookMessage, onEnd: () => void): void;
  /** Ends a claimed delivery without an attempt. */
  cancel(candidate: WaitingDelivery): void;
  /** Resolves when those that are under way now have ended. */
  ended(): Promise<void>;
}

/** No attempt is under way. */
export function createAttempts(deps: AttemptDeps): Attempts {
  const { queue, outcomes, clock, logger } = deps;
  const running = new Set<Promise<void>>();

  function end(
    candidate: WaitingDelivery,
    state: 'delivered' | 'failed' | 'unknown' | 'cancelled',
    result: AttemptResult | null,
  ): void {
    const { id, webhookId, alertId, host } = candidate;
    logger.debug({ webhook: webhookId, alert: alertId, host, outcome: state, ...result }, 'webhook delivery');
    outcomes.add({ id, webhookId, alertId, state, finishedAt: clock.now(), result });
    queue.release(candidate, result === null ? null : hasAnswered(result));
  }

  async function attempt(candidate: WaitingDelivery, message: WebhookMessage): Promise<void> {
    try {
      const result = await deps.sender.send(message);
      deps.metrics.deliveryAttempted(result.durationMs);
      end(candidate, result.error === null ? 'delivered' : 'failed', result);
    } catch (error) {
      const { webhookId: webhook, alertId: alert } = candidate;
      logger.error({ err: error, webhook, alert }, 'a webhook delivery could not be made');
      // A fault of ours: nobody knows what the receiver has got.
      end(candidate, 'unknown', null);
    }
  }

  return {
    start(candidate, message, onEnd) {
      const work = attempt(candidate, message).finally(() => {
        running.delete(work);
        onEnd();
      });
      running.add(work);
    },
    cancel: (candidate) => end(candidate, 'cancelled', null),
    async ended() {
      await Promise.all(running);
    },
  };
}

/** Whether the host is there, whatever it makes of the delivery. */
function hasAnswered({ status, error }: AttemptResult): boolean {
  return status !== null && error !== 'timeout';
}
