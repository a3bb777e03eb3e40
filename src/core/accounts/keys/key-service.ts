import type { RandomText } from '../../base/random.ts';
import { cleanName } from '../../base/text/escape.ts';
import type { Clock } from '../../base/time/clock.ts';
import { DAY_MS, type EpochMs } from '../../base/time/duration.ts';
import type { Tier } from '../tier.ts';
import { type ApiKey, type KeyLimits, type Keys, type NewKey, PLAIN_KEY, type Refused } from './api-key.ts';
import { type Hasher, KEY_BYTES, KEY_PREFIX, keysIn, lookupOf } from './key-text.ts';

/** Default length of a pro trial; after it the key counts as free (contract, States). */
export const TRIAL_DAYS = 30;

/** Limits of a key's name (characters) and trial (days). */
export const KEY_LIMITS = { nameLength: 100, trialDays: 3_650 } as const;

/** `days`: length of a pro trial, a whole number from 1. */
export interface IssueRequest {
  readonly tier: Tier;
  readonly name: string;
  readonly days?: number;
  /** The owner; without one the key belongs to no customer. The cap of keys per customer does not apply. */
  readonly customerId?: string | null;
  /** Agreed limits that replace those of the tier. */
  readonly limits?: KeyLimits | null;
}

/** The issued key, or why there is none. */
export type IssueResult = NewKey | Refused<'bad_name' | 'bad_days' | 'days_without_trial'>;

/** `key`: after the change. */
export type ChangeResult =
  | { readonly ok: true; readonly key: ApiKey }
  | Refused<'unknown_key' | 'revoked_key'>;

interface KeyServiceOptions extends MintDeps {
  readonly keys: Pick<Keys, 'insert' | 'byId' | 'list' | 'revoke' | 'setTier'>;
}

/** Issues and changes keys. Other processes see a change within 5 s. */
export class KeyService {
  readonly #options: KeyServiceOptions;

  constructor(options: KeyServiceOptions) {
    this.#options = options;
  }

  async issue(request: IssueRequest): Promise<IssueResult> {
    const { keys, clock } = this.#options;
    const reason = refusal(request);
    if (reason !== null) return { ok: false, reason };
    const { tier, days, customerId = null, limits = null } = request;
    const trialEndsAt = trialEnd(tier, clock.now(), days);
    const name = cleanName(request.name);
    const { key, secret } = await mintKey(this.#options, { name, tier, trialEndsAt, customerId, limits });
    await keys.insert(key);
    return { ok: true, key, secret };
  }

  /** Oldest first, revoked ones included. */
  list(): Promise<readonly ApiKey[]> {
    return this.#options.keys.list();
  }

  /** Revoking a revoked key succeeds and changes nothing. */
  revoke(id: string): Promise<ChangeResult> {
    const { keys, clock } = this.#options;
    return this.#change(id, () => keys.revoke(id, clock.now()));
  }

  /** The tier `pro` starts a trial of 30 days, or of `days`; other tiers do not end. */
  async setTier(id: string, tier: Tier, days?: number): Promise<ChangeResult> {
    const { keys, clock } = this.#options;
    const key = await keys.byId(id);
    if (key !== null && key.revokedAt !== null) return { ok: false, reason: 'revoked_key' };
    return this.#change(id, () => keys.setTier(id, tier, trialEnd(tier, clock.now(), days)));
  }

  async #change(id: string, write: () => Promise<boolean>): Promise<ChangeResult> {
    const isWritten = await write();
    const key = isWritten ? await this.#options.keys.byId(id) : null;
    return key === null ? { ok: false, reason: 'unknown_key' } : { ok: true, key };
  }
}

function trialEnd(tier: Tier, now: EpochMs, days = TRIAL_DAYS): EpochMs | null {
  return tier === 'pro' ? now + days * DAY_MS : null;
}

function refusal({ tier, name, days }: IssueRequest) {
  if (keyName(name) === null) return 'bad_name';
  if (days === undefined) return null;
  if (tier !== 'pro') return 'days_without_trial';
  return Number.isInteger(days) && days >= 1 && days <= KEY_LIMITS.trialDays ? null : 'bad_days';
}

/** A key's name (`cleanName`), 1 to 100 characters; null for an invalid name or one that looks like a key. */
export function keyName(text: string): string | null {
  const name = cleanName(text);
  const isPlain =
    !/\p{Cc}/u.test(name) && name.isWellFormed() && keysIn(name.replace(/\s/g, '')).length === 0;
  return isPlain && name.length >= 1 && name.length <= KEY_LIMITS.nameLength ? name : null;
}

/** Dependencies of new keys. */
export interface MintDeps {
  readonly hasher: Pick<Hasher, 'hash'>;
  readonly random: RandomText;
  readonly clock: Pick<Clock, 'now'>;
}

/** Gives 16 characters in base64url. */
const ID_BYTES = 12;

/** A new secret with its stored parts. Its lookup part may be taken: the store refuses it then. */
export async function mintSecret({ hasher, random }: Omit<MintDeps, 'clock'>) {
  const secret = KEY_PREFIX + random.base64url(KEY_BYTES);
  const lookup = lookupOf(secret);
  if (lookup === null) throw new Error('the source of randomness returned a text that is not base64url');
  return { secret, lookup, hash: await hasher.hash(secret) };
}

/** A new key, not stored yet, with its secret. */
export async function mintKey(
  deps: MintDeps,
  fields: Pick<ApiKey, 'name' | 'tier'> &
    Partial<Pick<ApiKey, 'trialEndsAt' | 'customerId' | 'handover' | 'limits'>>,
): Promise<{ readonly key: ApiKey; readonly secret: string }> {
  const { secret, lookup, hash } = await mintSecret(deps);
  const id = `key_${deps.random.base64url(ID_BYTES)}`;
  const { name, tier, trialEndsAt = null, ...rest } = fields;
  const born = { createdAt: deps.clock.now(), trialEndsAt, revokedAt: null };
  return { key: { id, lookup, hash, name, tier, ...born, ...PLAIN_KEY, ...rest }, secret };
}
