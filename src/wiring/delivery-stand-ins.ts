import type { DeliveryStore } from '../core/ports/delivery-store.ts';
import type { WebhookSender } from '../core/ports/webhook-sender.ts';

/** In the place of the outbox and the sender until they are connected: an empty log, and nobody is reached. */
export const deliveryStandIns: {
  readonly deliveries: Pick<DeliveryStore, 'add' | 'list'>;
  readonly sender: Pick<WebhookSender, 'send'>;
} = {
  deliveries: { add: async (rows) => rows, list: async () => [] },
  sender: { send: async () => ({ status: null, error: 'refused', durationMs: 0 }) },
};
