import type { Clock } from '../clock.ts';
import type { Hasher } from '../keys/hasher.ts';
import type { KeyStore } from '../keys/key-store.ts';
import type { PresetStore } from '../presets/preset-store.ts';
import type { RandomText } from '../random-text.ts';
import type { CustomerStore, HandleId } from './customer-store.ts';

/** What customers stand on. */
export interface CustomerServiceDeps {
  readonly customers: CustomerStore;
  readonly keys: KeyStore;
  readonly presets: Pick<PresetStore, 'listByKey' | 'remove'>;
  readonly webhooks: {
    listByKey(keyId: string): Promise<readonly { readonly id: string }[]>;
    remove(keyId: string, id: string): Promise<unknown>;
  };
  /** Removes every message for one of these. */
  readonly chat: {
    removeOf(recipients: readonly (`customer:${string}` | `key:${string}`)[]): Promise<unknown>;
  };
  /** Slow, and so behind a gate (`limitedHasher`). */
  readonly hasher: Hasher;
  readonly random: RandomText;
  readonly clock: Pick<Clock, 'now'>;
  /** SHA-256 as text, under which link codes are kept. */
  readonly digest: (text: string) => string;
  /** The salted hash of a person's id that outlives their data (design, one trial per person). */
  readonly markOf: (handle: HandleId) => Promise<string>;
}
