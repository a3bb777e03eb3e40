import type { Clock } from '../clock.ts';
import type { Hasher } from '../keys/hasher.ts';
import type { ChatStore } from '../ports/chat-store.ts';
import type { CustomerStore, HandleId } from '../ports/customer-store.ts';
import type { KeyStore } from '../ports/key-store.ts';
import type { PresetStore } from '../ports/preset-store.ts';
import type { RandomText } from '../ports/random-text.ts';
import type { WebhookStore } from '../ports/webhook-store.ts';

/** What customers stand on. */
export interface CustomerServiceDeps {
  readonly customers: CustomerStore;
  readonly keys: KeyStore;
  readonly presets: Pick<PresetStore, 'listByKey' | 'remove'>;
  readonly webhooks: Pick<WebhookStore, 'listByKey' | 'remove'>;
  readonly chat: Pick<ChatStore, 'removeOf'>;
  /** Slow, and so behind a gate (`createGatedHasher`). */
  readonly hasher: Hasher;
  readonly random: RandomText;
  readonly clock: Pick<Clock, 'now'>;
  /** SHA-256 as text, under which link codes are kept. */
  readonly digest: (text: string) => string;
  /** The salted hash of a person's id that outlives their data (design, one trial per person). */
  readonly markOf: (handle: HandleId) => Promise<string>;
}
