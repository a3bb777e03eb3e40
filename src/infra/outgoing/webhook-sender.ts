import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { SECOND_MS } from '../../core/base/time/duration.ts';
import {
  type AttemptResult,
  type DeliveryError,
  RETRY_AFTER_MAX_SECONDS,
} from '../../core/delivery/webhooks/delivery.ts';
import type { WebhookMessage, WebhookSender } from '../../core/delivery/webhooks/webhook.ts';
import { retryAfterMs } from './answer-text.ts';
import { GuardedClient, type GuardedClientOptions } from './guarded-client.ts';
import { USER_AGENT } from './user-agent.ts';

const OK = 200;
const MAX_KEYS = 1_000;

/** Signs messages and sends them (`GuardedClient`). */
export class HttpWebhookSender implements WebhookSender {
  readonly #options: GuardedClientOptions;
  readonly #client: GuardedClient;
  /** HMAC with a `KeyObject` is several times faster than with the bytes of the key. */
  readonly #keys = new LRUCache<string, KeyObject>({ max: MAX_KEYS, memoMethod: keyOf });

  constructor(options: GuardedClientOptions) {
    this.#options = options;
    this.#client = new GuardedClient(options);
  }

  async send(message: WebhookMessage): Promise<AttemptResult> {
    const startedAt = performance.now();
    const body = Buffer.from(message.body);
    const headers = this.#headersOf(message, body);
    // A receiver of JSON can tell a repetition by `webhook-id`; in a chat the message would stand twice.
    const isRepeatable = message.format === 'json';
    const outcome = await this.#client.send({ url: message.url, headers, body, isRepeatable });
    const durationMs = Math.round(performance.now() - startedAt);
    if ('error' in outcome)
      return { status: null, error: outcome.error, durationMs, retryAfterSeconds: null };
    const { status, headers: answered } = outcome;
    const error = errorOfStatus(status, message.format);
    const retryAfterSeconds = error === null ? null : this.#secondsIn(answered['retry-after']);
    return { status, error, durationMs, retryAfterSeconds };
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  #secondsIn(retryAfter: string | string[] | undefined): number | null {
    const ms = retryAfterMs(retryAfter, this.#options.clock.now(), RETRY_AFTER_MAX_SECONDS * SECOND_MS);
    return ms === null ? null : Math.ceil(ms / SECOND_MS);
  }

  #headersOf({ id, secrets }: WebhookMessage, body: Buffer): Record<string, string> {
    const timestamp = String(Math.floor(this.#options.clock.now() / 1_000));
    const signatures = secrets.map((secret) => {
      const hmac = createHmac('sha256', this.#keys.memo(secret)).update(`${id}.${timestamp}.`).update(body);
      return `v1,${hmac.digest('base64')}`;
    });
    return {
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signatures.join(' '),
    };
  }
}

function errorOfStatus(status: number, format: WebhookMessage['format']): DeliveryError | null {
  if (status === OK || (format !== 'json' && status > OK && status < 300)) return null;
  return status >= 300 && status < 400 ? 'redirect' : 'status';
}

function keyOf(secret: string): KeyObject {
  return createSecretKey(Buffer.from(secret.replace('whsec_', ''), 'base64'));
}
