import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { Logger } from '../../core/base/logger.ts';
import type { RandomText } from '../../core/base/random.ts';
import type { Clock } from '../../core/base/time/clock.ts';
import type { EpochMs } from '../../core/base/time/duration.ts';
import { UserError } from '../../core/base/user-error.ts';
import { SECRET_OVERLAP_MS, type WebhookSecrets } from '../../core/delivery/webhooks/webhook.ts';
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

function generateKey({ secrets, random }: Pick<KeyOptions, 'secrets' | 'random'>): Promise<string> {
  return secrets.getOrCreate(GENERATED_KEY, random.base64url(KEY_BYTES));
}

function keyOf(text: string): KeyObject {
  return createSecretKey(text, 'utf8');
}

/** The key that webhook secrets were derived from before; it signs as well until `until`. */
export interface FormerKey {
  readonly secretKey: string;
  readonly until: EpochMs;
}

interface ChangeOptions extends Pick<KeyOptions, 'secretKey' | 'random'> {
  /** `SECRET_KEY_PREVIOUS`: the former key, or `lost`. */
  readonly previous: string | null;
  readonly secrets: Secrets;
  readonly countWebhooks: () => Promise<number>;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

interface KeyState {
  readonly current: string;
  /** Null: nothing signs beside the current key. */
  readonly former: string | null;
  readonly changedAt: EpochMs;
}

const STATE = 'SECRET_KEY_STATE';
const LOST = 'lost';

/**
 * Compares `SECRET_KEY` with the key that the webhooks of the database are signed with. A change is accepted when the former
 * key is known: from `SECRET_KEY_PREVIOUS`, or from the database, where it was generated. It is returned during the 24 hours
 * in which it signs as well. Throws a `UserError` for another change, if there are webhooks.
 */
export async function checkSecretKey(options: ChangeOptions): Promise<FormerKey | null> {
  const { secretKey, previous, secrets, clock } = options;
  for (;;) {
    const [stored, generated] = await Promise.all([secrets.get(STATE), secrets.get(GENERATED_KEY)]);
    // The generated key is the first one, or there is none yet.
    if (stored === null && secretKey === null) return null;
    const formerKeys = [previous, generated].filter((key) => key !== null);
    const state = stored === null ? stateBefore(generated) : (JSON.parse(stored) as KeyState);
    const current = fingerprintOf(secretKey ?? generated ?? (await generateKey(options)));
    if (state?.current === current && stored !== null) return signingFormer(state, formerKeys, options);
    const former = await formerOf(state, current, formerKeys, options);
    const next: KeyState = { current, former, changedAt: clock.now() };
    if (await secrets.replace(STATE, stored, JSON.stringify(next)))
      return signingFormer(next, formerKeys, options);
  }
}

/** Of a database in which `SECRET_KEY` was never set. */
function stateBefore(generated: string | null): KeyState | null {
  return generated === null ? null : { current: fingerprintOf(generated), former: null, changedAt: 0 };
}

/** The fingerprint of the key that signs as well after a change; null if none does. */
async function formerOf(
  state: KeyState | null,
  current: string,
  formerKeys: readonly string[],
  { secretKey, countWebhooks, logger }: ChangeOptions,
): Promise<string | null> {
  if (state === null || state.current === current) return null;
  if (formerKeys.some((key) => fingerprintOf(key) === state.current)) return state.current;
  const webhooks = await countWebhooks();
  if (webhooks === 0) return null;
  if (!formerKeys.includes(LOST)) throw refusal(webhooks, secretKey !== null);
  logger.warn(
    { webhooks },
    'SECRET_KEY has changed without the former key: the secret of every webhook has changed',
  );
  return null;
}

function refusal(webhooks: number, isSet: boolean): UserError {
  const found = isSet
    ? 'not the key that was used with this database'
    : 'not set, but was used with this database';
  return new UserError(
    `SECRET_KEY: ${found}; the secrets of ${webhooks} webhook${webhooks === 1 ? '' : 's'} would change. Set SECRET_KEY to the ` +
      'former key, or set SECRET_KEY_PREVIOUS to the former key: then both sign for 24 hours. If the former key is lost, ' +
      'SECRET_KEY_PREVIOUS=lost changes the secrets immediately.',
  );
}

function signingFormer(
  { former, changedAt }: KeyState,
  formerKeys: readonly string[],
  { previous, clock, logger }: ChangeOptions,
): FormerKey | null {
  const until = changedAt + SECRET_OVERLAP_MS;
  if (former === null || clock.now() >= until) {
    if (previous !== null) logger.info({}, 'SECRET_KEY_PREVIOUS no longer has an effect: remove it');
    return null;
  }
  const fields = { until: new Date(until).toISOString() };
  const secretKey = formerKeys.find((key) => fingerprintOf(key) === former);
  if (secretKey === undefined) {
    logger.warn(
      fields,
      'SECRET_KEY_PREVIOUS is not the former key: webhooks are signed with the new key only',
    );
    return null;
  }
  logger.info(fields, 'SECRET_KEY has changed: webhooks are signed with the new and the former key');
  return { secretKey, until };
}

/** Does not reveal the key. */
function fingerprintOf(key: string): string {
  return createHmac('sha256', key).update('fingerprint of SECRET_KEY').digest('base64url');
}
