import type { EpochMs } from '../trade.ts';
import type { Webhook } from './webhook.ts';

/** What an owner may change; absent fields stay. */
export type WebhookChange = Partial<Pick<Webhook, 'categories' | 'minScore' | 'isPaused'>>;

/** Outcomes of one webhook, to be added to its counts. */
export interface WebhookCounts {
  readonly id: string;
  readonly delivered: number;
  readonly failed: number;
  /** Failed attempts after the last of them that was delivered; all of them when none was. */
  readonly failuresAtEnd: number;
}

/** The store of webhooks. Each belongs to a key; under another key's id it is missing. */
export interface WebhookStore {
  /** False, and nothing is stored, when the key has `cap` webhooks already, also with concurrent calls. */
  insert(webhook: Webhook, cap: number): Promise<boolean>;
  /** Oldest first, ties by id. */
  listByKey(keyId: string): Promise<readonly Webhook[]>;
  /** All that are not paused, of every key. */
  active(): Promise<readonly Webhook[]>;
  /** Those that exist, in any order. */
  byIds(ids: readonly string[]): Promise<readonly Webhook[]>;
  /** The webhook as it is then; null when the key has none of this id. */
  update(keyId: string, id: string, change: WebhookChange): Promise<Webhook | null>;
  /** Raises the secret's version; the webhook as it is then, or null. */
  rotate(keyId: string, id: string, at: EpochMs): Promise<Webhook | null>;
  /** Adds to counts, each webhook at most once in a call. Returns those that exist, as they are then, in any order. */
  addCounts(counts: readonly WebhookCounts[]): Promise<readonly Webhook[]>;
  /** False when there was none. */
  remove(keyId: string, id: string): Promise<boolean>;
}
