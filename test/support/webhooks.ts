import type { Webhook } from '../../src/core/delivery/webhooks/webhook.ts';
import { START } from './rows.ts';

export function webhookOf(given: Partial<Webhook> & { id: string }): Webhook {
  return {
    keyId: 'key_a',
    url: `https://${given.id}.example.com/hook?token=secret`,
    format: 'json',
    categories: null,
    minScore: null,
    filters: null,
    events: null,
    secretVersion: 1,
    rotatedAt: null,
    isPaused: false,
    createdAt: START,
    delivered: 0,
    failed: 0,
    failuresInRow: 0,
    ...given,
  };
}
