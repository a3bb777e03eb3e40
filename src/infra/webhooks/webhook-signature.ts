import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';

interface SignedMessage {
  readonly id: string;
  /** Unix time in whole seconds. */
  readonly timestamp: number;
  /** The bytes that are sent. */
  readonly body: Buffer;
  /** `whsec_…`; each gives one signature. */
  readonly secrets: readonly string[];
}

const KEPT_KEYS = 1_000;
const PREFIX = 'whsec_';

/** Signs as Standard Webhooks says: the value of the header `webhook-signature`. */
export function createSigner(): (message: SignedMessage) => string {
  // HMAC with a KeyObject is several times faster than with the bytes of the key.
  const keys = new LRUCache<string, KeyObject>({ max: KEPT_KEYS });

  function keyOf(secret: string): KeyObject {
    const kept = keys.get(secret);
    if (kept !== undefined) return kept;
    const key = createSecretKey(Buffer.from(secret.replace(PREFIX, ''), 'base64'));
    keys.set(secret, key);
    return key;
  }

  return ({ id, timestamp, body, secrets }) =>
    secrets
      .map((secret) => createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(body))
      .map((hmac) => `v1,${hmac.digest('base64')}`)
      .join(' ');
}
