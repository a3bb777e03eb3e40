import type { Webhook } from '../webhooks/webhook.ts';

/** Where webhooks rest. Each belongs to a key: under another key's id it does not exist. */
export interface WebhookStore {
  /** False, and nothing stored, when the key has `cap` webhooks already; many at once stay within it, too. */
  insert(webhook: Webhook, cap: number): Promise<boolean>;
  /** Oldest first, ties by id. */
  listByKey(keyId: string): Promise<readonly Webhook[]>;
  /** False when there was none. */
  remove(keyId: string, id: string): Promise<boolean>;
}
