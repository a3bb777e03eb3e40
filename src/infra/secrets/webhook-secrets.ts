import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { Logger } from '../../core/base/logger.ts';
import type { RandomText } from '../../core/base/random.ts';
import type { WebhookSecrets } from '../../core/delivery/webhooks/webhook.ts';
import type { SecretStore } from '../../core/operations/secret-store.ts';

export interface KeyOptions {
  /** `SECRET_KEY`; null if it is not set: a generated key is stored and used then. */
  readonly secretKey: string | null;
  readonly secrets: Pick<SecretStore, 'getOrCreate'>;
  readonly random: RandomText;
  readonly logger: Pick<Logger, 'warn'>;
}

/** The name under which the generated key is stored. */
export const GENERATED_KEY = 'SECRET_KEY';
const KEY_BYTES = 32;
const UNSET =
  'SECRET_KEY is not set: webhook secrets are derived from a generated key in the database. This is safe while the ' +
  'database is private. When SECRET_KEY is set later, both keys sign for 24 hours.';

/** Derives webhook secrets. The stored key is read on first use, and again after a failure. */
export function createWebhookSecrets({ secretKey, secrets, random, logger }: KeyOptions): WebhookSecrets {
  let key: KeyObject | null = secretKey === null ? null : keyOf(secretKey);

  async function storedKey(): Promise<KeyObject> {
    const kept = await generateKey({ secrets, random });
    if (key === null) logger.warn({}, UNSET);
    key ??= keyOf(kept);
    return key;
  }

  return async ({ id, secretVersion }) => {
    const hmac = createHmac('sha256', key ?? (await storedKey()));
    return `whsec_${hmac.update(`${id}.${secretVersion}`).digest('base64')}`;
  };
}

/** The key of all processes of the database. */
export function generateKey({ secrets, random }: Pick<KeyOptions, 'secrets' | 'random'>): Promise<string> {
  return secrets.getOrCreate(GENERATED_KEY, random.base64url(KEY_BYTES));
}

function keyOf(text: string): KeyObject {
  return createSecretKey(text, 'utf8');
}
