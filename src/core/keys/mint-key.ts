import type { Clock } from '../clock.ts';
import type { RandomText } from '../random-text.ts';
import { type ApiKey, PLAIN_KEY } from './api-key.ts';
import type { Hasher } from './hasher.ts';
import { KEY_BYTES, KEY_PREFIX, lookupOf } from './key-text.ts';

/** What keys are made of. */
export interface MintDeps {
  readonly hasher: Pick<Hasher, 'hash'>;
  readonly random: RandomText;
  readonly clock: Pick<Clock, 'now'>;
}

/** A secret, and what of it is kept. */
export interface MintedSecret {
  readonly secret: string;
  readonly lookup: string;
  readonly hash: string;
}

/** What is to be said of a new key. */
export type KeyFields = Pick<ApiKey, 'name' | 'tier'> &
  Partial<Pick<ApiKey, 'trialEndsAt' | 'customerId' | 'handover' | 'limits'>>;

/** base64url makes 16 characters of them. */
const ID_BYTES = 12;

/** A new secret. Its lookup part may be taken: whoever stores it finds out. */
export async function mintSecret({ hasher, random }: Omit<MintDeps, 'clock'>): Promise<MintedSecret> {
  const secret = KEY_PREFIX + random.base64url(KEY_BYTES);
  const lookup = lookupOf(secret);
  if (lookup === null) throw new Error('the random source does not give base64url text');
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
