import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../core/clock.ts';
import type { WebhookMessage } from '../../core/webhooks/webhook-sender.ts';
import { USER_AGENT } from './user-agent.ts';

const MAX_KEYS = 1_000;
const PREFIX = 'whsec_';

/** Signs as Standard Webhooks specifies. */
export class WebhookSigner {
  readonly #clock: Pick<Clock, 'now'>;
  /** HMAC with a `KeyObject` is several times faster than with the bytes of the key. */
  readonly #keys = new LRUCache<string, KeyObject>({ max: MAX_KEYS, memoMethod: keyOf });

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** The headers of a message that is sent now; `body` is exactly what is sent. */
  headersOf({ id, secrets }: WebhookMessage, body: Buffer): Record<string, string> {
    const timestamp = String(Math.floor(this.#clock.now() / 1_000));
    const signed = `${id}.${timestamp}.`;
    return {
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': secrets.map((secret) => this.#sign(secret, signed, body)).join(' '),
    };
  }

  #sign(secret: string, head: string, body: Buffer): string {
    const hmac = createHmac('sha256', this.#keys.memo(secret)).update(head).update(body);
    return `v1,${hmac.digest('base64')}`;
  }
}

function keyOf(secret: string): KeyObject {
  return createSecretKey(Buffer.from(secret.replace(PREFIX, ''), 'base64'));
}
