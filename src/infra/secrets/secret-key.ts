import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { Logger } from '../../core/base/logger.ts';
import type { RandomText } from '../../core/base/random.ts';
import { UserError } from '../../core/base/user-error.ts';
import type { WebhookSecrets } from '../../core/delivery/webhooks/webhook.ts';
import type { Secrets } from '../../core/operations/secret-store.ts';

interface KeyOptions {
  /** `SECRET_KEY`; null if it is not set: a generated key is stored and used then. */
  readonly secretKey: string | null;
  readonly secrets: Pick<Secrets, 'getOrCreate'>;
  readonly random: RandomText;
  readonly logger: Pick<Logger, 'warn'>;
}

const GENERATED_KEY = 'SECRET_KEY';
const KEY_BYTES = 32;
const UNSET =
  'SECRET_KEY is not set: webhook secrets are derived from a generated key in the database. This is safe while the ' +
  'database is private. When SECRET_KEY is set later, set SECRET_KEY_PREVIOUS=generated for a day: both keys sign then.';

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

function generateKey({ secrets, random }: Pick<KeyOptions, 'secrets' | 'random'>): Promise<string> {
  return secrets.getOrCreate(GENERATED_KEY, random.base64url(KEY_BYTES));
}

function keyOf(text: string): KeyObject {
  return createSecretKey(text, 'utf8');
}

interface ChangeOptions extends Pick<KeyOptions, 'secretKey' | 'random' | 'logger'> {
  /** `SECRET_KEY_PREVIOUS`: the former key, `generated` for that of the database, or `lost`. */
  readonly previous: string | null;
  readonly secrets: Secrets;
  readonly countWebhooks: () => Promise<number>;
}

const FINGERPRINT = 'SECRET_KEY_FINGERPRINT';
const GENERATED = 'generated';
const LOST = 'lost';

/**
 * Compares `SECRET_KEY` with the key that the webhooks of the database are signed with, and accepts a change when the former key
 * is known, or there are no webhooks. Returns the key of `SECRET_KEY_PREVIOUS`, which signs as well. Throws a `UserError` for
 * another change.
 */
export async function checkSecretKey(options: ChangeOptions): Promise<string | null> {
  const { secretKey, secrets } = options;
  for (;;) {
    const [stored, generated] = await Promise.all([secrets.get(FINGERPRINT), secrets.get(GENERATED_KEY)]);
    // The generated key is the first one, or there is none yet.
    if (stored === null && secretKey === null) return null;
    const current = fingerprintOf(secretKey ?? generated ?? (await generateKey(options)));
    const former = formerOf(options, generated);
    const expected = stored ?? (generated === null ? current : fingerprintOf(generated));
    const isKnown = expected === current || (former !== null && fingerprintOf(former) === expected);
    if (!isKnown) await acceptLoss(options);
    if (stored === current || (await secrets.replace(FINGERPRINT, stored, current))) return former;
  }
}

function formerOf({ previous }: ChangeOptions, generated: string | null): string | null {
  if (previous === GENERATED) return generated;
  return previous === LOST ? null : previous;
}

async function acceptLoss({ secretKey, previous, countWebhooks, logger }: ChangeOptions): Promise<void> {
  const webhooks = await countWebhooks();
  if (webhooks === 0) return;
  if (previous !== LOST) throw refusal(webhooks, secretKey !== null);
  logger.warn(
    { webhooks },
    'SECRET_KEY has changed without the former key: the secret of every webhook has changed',
  );
}

function refusal(webhooks: number, isSet: boolean): UserError {
  const found = isSet
    ? 'not the key that was used with this database'
    : 'not set, but was used with this database';
  return new UserError(
    `SECRET_KEY: ${found}; the secrets of ${webhooks} webhook${webhooks === 1 ? '' : 's'} would change. Set SECRET_KEY to the ` +
      'former key, or set SECRET_KEY_PREVIOUS to the former key, or to generated for the key of the database: both sign while it is ' +
      'set. If the former key is lost, SECRET_KEY_PREVIOUS=lost changes the secrets immediately.',
  );
}

/** Does not reveal the key. */
function fingerprintOf(key: string): string {
  return createHmac('sha256', key).update('fingerprint of SECRET_KEY').digest('base64url');
}
