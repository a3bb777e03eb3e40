import type { RandomText } from '../../base/text/random-text.ts';
import type { Clock } from '../../base/time/clock.ts';
import { type ApiKey, PLAIN_KEY } from './api-key.ts';
import { type Hasher, KEY_BYTES, KEY_PREFIX, lookupOf } from './key-text.ts';

/** Dependencies of new keys. */
export interface MintDeps {
  readonly hasher: Pick<Hasher, 'hash'>;
  readonly random: RandomText;
  readonly clock: Pick<Clock, 'now'>;
}

/** A secret, and its stored parts. */
export interface MintedSecret {
  readonly secret: string;
  readonly lookup: string;
  readonly hash: string;
}

/** The given fields of a new key. */
export type KeyFields = Pick<ApiKey, 'name' | 'tier'> &
  Partial<Pick<ApiKey, 'trialEndsAt' | 'customerId' | 'handover' | 'limits'>>;

/** Gives 16 characters in base64url. */
const ID_BYTES = 12;

/** A new secret. Its lookup part may be taken: the store refuses it then. */
export async function mintSecret({ hasher, random }: Omit<MintDeps, 'clock'>): Promise<MintedSecret> {
  const secret = KEY_PREFIX + random.base64url(KEY_BYTES);
  const lookup = lookupOf(secret);
  if (lookup === null) throw new Error('the source of randomness returned a text that is not base64url');
  return { secret, lookup, hash: await hasher.hash(secret) };
}

/** A new key, not stored yet, with its secret. */
export async function mintKey(
  deps: MintDeps,
  fields: KeyFields,
): Promise<{ readonly key: ApiKey; readonly secret: string }> {
  const { secret, lookup, hash } = await mintSecret(deps);
  const id = `key_${deps.random.base64url(ID_BYTES)}`;
  const { name, tier, trialEndsAt = null, ...rest } = fields;
  const born = { createdAt: deps.clock.now(), trialEndsAt, revokedAt: null };
  return { key: { id, lookup, hash, name, tier, ...born, ...PLAIN_KEY, ...rest }, secret };
}
