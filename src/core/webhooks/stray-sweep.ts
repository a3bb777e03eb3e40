import type { Clock } from '../clock.ts';
import { DELIVERY_TIMES, type Delivery } from './delivery.ts';
import type { DeliveryQueue } from './delivery-queue.ts';
import type { DeliveryPageCursor, DeliveryStore } from './delivery-store.ts';
import type { Webhook } from './webhook.ts';
import type { WebhookStore } from './webhook-store.ts';

const PAGE_SIZE = 500;

interface StrayOptions {
  readonly deliveries: Pick<DeliveryStore, 'waiting'>;
  readonly webhooks: Pick<WebhookStore, 'byIds'>;
  readonly queue: Pick<DeliveryQueue, 'holds'>;
  /** Queues rows that wait. Returns how many had room. */
  readonly enqueue: (rows: readonly { readonly delivery: Delivery; readonly webhook: Webhook }[]) => number;
  /** Ends rows whose webhook is gone. */
  readonly cancel: (rows: readonly Delivery[]) => Promise<void>;
  readonly yieldToLoop: () => Promise<void>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Finds waiting rows that no memory holds: those of a process that died, and those for which there was no room. */
export class StraySweep {
  readonly #options: StrayOptions;
  #cursor: DeliveryPageCursor | undefined;

  constructor(options: StrayOptions) {
    this.#options = options;
  }

  /** Reads the next page, and further pages while there is room for rows; after the last page it begins again. */
  async sweep(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const taken = await this.#page();
      if (this.#cursor === undefined || taken === 0) return;
      await this.#options.yieldToLoop();
    }
  }

  /** Returns how many strays were queued or cancelled. */
  async #page(): Promise<number> {
    const { deliveries, webhooks, queue, enqueue, cancel, clock } = this.#options;
    const createdBefore = clock.now() - DELIVERY_TIMES.straysAfterMs;
    const after = this.#cursor;
    const found = await deliveries.waiting({ createdBefore, limit: PAGE_SIZE, ...(after && { after }) });
    this.#cursor = found.length < PAGE_SIZE ? undefined : found.at(-1);
    const strays = found.filter(({ id }) => !queue.holds(id));
    if (strays.length === 0) return 0;
    const targets = await webhooks.byIds([...new Set(strays.map(({ webhookId }) => webhookId))]);
    const byId = new Map(targets.map((webhook) => [webhook.id, webhook]));
    const orphans = strays.filter(({ webhookId }) => !byId.has(webhookId));
    await cancel(orphans);
    const rows = strays.flatMap((delivery) => {
      const webhook = byId.get(delivery.webhookId);
      return webhook === undefined ? [] : [{ delivery, webhook }];
    });
    return enqueue(rows) + orphans.length;
  }
}
