import type { Clock } from '../clock.ts';
import type { Hasher } from '../keys/hasher.ts';
import type { KeyStore } from '../keys/key-store.ts';
import type { PresetStore } from '../presets/preset-store.ts';
import type { RandomText } from '../random-text.ts';
import type { CustomerStore, HandleId } from './customer-store.ts';

/** Dependencies of the customer service. */
export interface CustomerServiceDeps {
  readonly customers: CustomerStore;
  readonly keys: KeyStore;
  readonly presets: Pick<PresetStore, 'listByKey' | 'remove'>;
  readonly webhooks: {
    listByKey(keyId: string): Promise<readonly { readonly id: string }[]>;
    remove(keyId: string, id: string): Promise<unknown>;
  };
  /** Removes all messages to these recipients. */
  readonly chat: {
    removeOf(recipients: readonly (`customer:${string}` | `key:${string}`)[]): Promise<unknown>;
  };
  /** Slow: limited by `limitedHasher`. */
  readonly hasher: Hasher;
  readonly random: RandomText;
  readonly clock: Pick<Clock, 'now'>;
  /** SHA-256 as text, under which link codes are stored. */
  readonly digest: (text: string) => string;
  /** Salted hash of a handle, kept after its data is erased. */
  readonly markOf: (handle: HandleId) => Promise<string>;
}
