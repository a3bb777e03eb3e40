import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { Logger } from '../core/logger.ts';
import type { SecretStore } from '../core/operations/secret-store.ts';
import type { RandomText } from '../core/random-text.ts';
import type { WebhookSecrets } from '../core/webhooks/webhook.ts';

interface SecretDeps {
  /** `SECRET_KEY`; null if it is not set: a generated key is stored and used then. */
  readonly secretKey: string | null;
  readonly secrets: SecretStore;
  readonly random: RandomText;
  readonly logger: Pick<Logger, 'warn'>;
}

const STORED_NAME = 'SECRET_KEY';
const KEY_BYTES = 32;
const UNSET =
  'SECRET_KEY is not set: webhook secrets are derived from a generated key in the database. This is safe while the ' +
  'database is private. Setting SECRET_KEY to another value later changes the secret of every webhook.';

/** Derives webhook secrets. The stored key is read on first use, and again after a failure. */
export function createWebhookSecrets({ secretKey, secrets, random, logger }: SecretDeps): WebhookSecrets {
  let key: KeyObject | null = secretKey === null ? null : keyOf(secretKey);

  async function storedKey(): Promise<KeyObject> {
    const kept = await secrets.getOrCreate(STORED_NAME, random.base64url(KEY_BYTES));
    if (key === null) logger.warn({}, UNSET);
    key ??= keyOf(kept);
    return key;
  }

  return async ({ id, secretVersion }) => {
    const hmac = createHmac('sha256', key ?? (await storedKey()));
    return `whsec_${hmac.update(`${id}.${secretVersion}`).digest('base64')}`;
  };
}

function keyOf(text: string): KeyObject {
  return createSecretKey(text, 'utf8');
}
