import type { Delivery, DeliveryStore } from '../../src/core/delivery/webhooks/delivery.ts';

/** The log of webhooks in memory. */
export function createMemoryDeliveries(): Pick<DeliveryStore, 'add' | 'list' | 'byIds'> {
  const rows: Delivery[] = [];
  return {
    async add(deliveries) {
      const fresh = deliveries.filter(({ id }) => rows.every((row) => row.id !== id));
      rows.push(...fresh);
      return fresh;
    },
    byIds: async (ids) => rows.filter(({ id }) => ids.includes(id)),
    async list(webhookId, { limit, before, state }) {
      const log = rows.filter((row) => row.webhookId === webhookId).toReversed();
      const start = before === undefined ? 0 : log.findIndex(({ id }) => id === before) + 1;
      if (before !== undefined && start === 0) return [];
      return log
        .slice(start)
        .filter((row) => state === undefined || row.state === state)
        .slice(0, limit);
    },
  };
}
