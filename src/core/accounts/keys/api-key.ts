import { z } from 'zod';
import {
  type Declaration,
  type Documents,
  LONG_CALL_MS,
  type OpenDocuments,
  type Where,
} from '../../base/documents/documents.ts';
import { insertInSlot } from '../../base/documents/insert-in-slot.ts';
import type { EpochMs } from '../../base/time/duration.ts';
import { TIERS, type Tier } from '../tier.ts';

/** Null: the limit of the tier. */
const limitsSchema = z.strictObject({
  requestsPerMinute: z.int().nullable(),
  maxSockets: z.int().nullable(),
});
/** Limits that were agreed for one key. */
export type KeyLimits = Readonly<z.infer<typeof limitsSchema>>;

const schema = z.strictObject({
  /** Public id, `key_` and 16 characters. */
  id: z.string(),
  /** The first 10 characters after `sk_live_`. Identifies the key, does not authenticate. Unique. */
  lookup: z.string(),
  /** argon2id of the whole key, in PHC format. */
  hash: z.string(),
  name: z.string(),
  tier: z.enum(TIERS),
  createdAt: z.int(),
  /** From this time on a pro key counts as free; null without a trial. */
  trialEndsAt: z.int().nullable(),
  revokedAt: z.int().nullable(),
  /** The owner; null for a key that was not issued in chat. */
  customerId: z.string().nullable(),
  /** The message with the secret: its request, unique among the current secrets of all keys, and whether it is known to have been sent. Null for a key that was not issued in chat. */
  handover: z.strictObject({ request: z.string(), isShown: z.boolean() }).nullable(),
  /** The secret before the last rotation, valid for the same key until its end (exclusive); null without a rotation. */
  previous: z.strictObject({ lookup: z.string(), hash: z.string(), endsAt: z.int() }).nullable(),
  /** Agreed limits that replace those of the tier; null if there are none. */
  limits: limitsSchema.nullable(),
  /** The first successful call; null before it. Written for keys of customers only. */
  firstUsedAt: z.int().nullable(),
  /** Of a customer's key that is not revoked, below the customer's maximum. */
  slot: z.int().optional(),
});
type KeyDocument = z.infer<typeof schema>;

/** A stored API key. Its secret is shown once and never stored. */
export type ApiKey = Readonly<Omit<KeyDocument, 'slot'>>;

/** A key with its whole secret, which is not stored. */
export interface NewKey {
  readonly ok: true;
  readonly key: ApiKey;
  readonly secret: string;
}

/** Why nothing was done. */
export interface Refused<Reason extends string> {
  readonly ok: false;
  readonly reason: Reason;
}

/** The tier of a key at a time: after its trial a key is free (contract, States). Nothing is stored at the end of a trial. */
export function effectiveTier(key: Pick<ApiKey, 'tier' | 'trialEndsAt'>, now: EpochMs): Tier {
  return key.trialEndsAt !== null && now >= key.trialEndsAt ? 'free' : key.tier;
}

/** The hash that a secret with this lookup part must match; null if this key has no such secret that is valid at that time. */
export function hashFor(
  { lookup, hash, previous }: Pick<ApiKey, 'lookup' | 'hash' | 'previous'>,
  presented: string,
  now: EpochMs,
): string | null {
  if (lookup === presented) return hash;
  return previous !== null && previous.lookup === presented && now < previous.endsAt ? previous.hash : null;
}

/** Fields of a key without an owner that was never changed. */
export const PLAIN_KEY = {
  customerId: null,
  handover: null,
  previous: null,
  limits: null,
  firstUsedAt: null,
} as const;

/** The result of inserting a customer's key. `taken`: its id, its secret or its request is. */
export type KeyInsert = 'inserted' | 'taken' | 'too_many';

/** Query for ends of trials after `from` and at or before `until`; `after`: the last key of the page before. */
export interface EndedTrials {
  readonly from: EpochMs;
  readonly until: EpochMs;
  readonly limit: number;
  readonly after?: Pick<ApiKey, 'id' | 'trialEndsAt'> | undefined;
}

const KEYS: Declaration<KeyDocument> = {
  kind: 'api_keys',
  schema,
  indexes: {
    api_keys_by_lookup: { fields: ['lookup'], isUnique: true },
    api_keys_by_former_lookup: {
      fields: ['previous.lookup'],
      isUnique: true,
      where: { 'previous.lookup': { gt: '' } },
    },
    api_keys_by_request: {
      fields: ['handover.request'],
      isUnique: true,
      where: { 'handover.request': { gt: '' } },
    },
    api_keys_by_customer: { fields: ['customerId', 'createdAt'] },
    api_keys_by_slot: { fields: ['customerId', 'slot'], isUnique: true, where: { slot: { gte: 0 } } },
    api_keys_by_tier: { fields: ['tier', 'revokedAt', 'trialEndsAt'] },
    api_keys_by_age: { fields: ['createdAt'] },
  },
};

/** Stored keys. Only hashes of secrets are stored. */
export class Keys {
  readonly #documents: Documents<KeyDocument>;

  constructor(open: OpenDocuments) {
    this.#documents = open(KEYS);
  }

  /** Throws if its id, its secret or its request is taken. */
  async insert(key: ApiKey): Promise<void> {
    if ((await this.#documents.insert([key])) !== null)
      throw new Error(`${key.id}: the id, the secret or the request is taken`);
  }

  /** Inserts a key if its customer has fewer than `cap` that are not revoked. Concurrent inserts do not exceed the cap. */
  insertWithin(key: ApiKey & { readonly customerId: string }, cap: number): Promise<KeyInsert> {
    const where = { customerId: key.customerId, revokedAt: null };
    return insertInSlot(this.#documents, key, { where, most: cap });
  }

  /** The key whose current or former secret, expired or not, has this lookup part. */
  async byLookup(lookup: string): Promise<ApiKey | null> {
    const [current] = await this.#find({ lookup });
    if (current !== undefined) return current;
    const [former] = await this.#find({ 'previous.lookup': lookup });
    return former ?? null;
  }

  async byId(id: string): Promise<ApiKey | null> {
    const found = await this.#documents.get(id);
    return found && toKey(found);
  }

  /** The existing ones, in any order. */
  byIds(ids: readonly string[]): Promise<readonly ApiKey[]> {
    return this.#find({ id: { in: ids } });
  }

  /** The customer's keys that are not revoked, oldest first, ties by id. */
  async byCustomer(customerId: string): Promise<readonly ApiKey[]> {
    const where = { customerId, revokedAt: null };
    return (await this.#documents.find({ where, order: 'createdAt' })).map(toKey);
  }

  /** The keys of these customers that are not revoked, in any order. */
  byCustomers(customerIds: readonly string[]): Promise<readonly ApiKey[]> {
    return this.#find({ customerId: { in: customerIds }, revokedAt: null });
  }

  /** Ids of all the customer's keys, revoked ones included. */
  async idsOf(customerId: string): Promise<readonly string[]> {
    return (await this.#find({ customerId })).map(({ id }) => id);
  }

  /** The key whose current secret has this request. */
  async byRequest(request: string): Promise<ApiKey | null> {
    return (await this.#find({ 'handover.request': request }))[0] ?? null;
  }

  /** Oldest first. */
  async list(): Promise<readonly ApiKey[]> {
    return (await this.#documents.find({ order: 'createdAt' }, { timeoutMs: LONG_CALL_MS })).map(toKey);
  }

  /** False if there is no such key. Revoking again keeps the first time. */
  async revoke(id: string, revokedAt: EpochMs): Promise<boolean> {
    const change = { set: { revokedAt }, unset: ['slot'] } as const;
    if ((await this.#documents.update({ id, revokedAt: null }, change)) === 1) return true;
    return (await this.#documents.get(id)) !== null;
  }

  /** Revokes a key that was never shown and releases its request; false if it was shown or rotated, or does not exist. */
  async retire(id: string, revokedAt: EpochMs): Promise<boolean> {
    const unseen = { id, 'handover.isShown': false, 'previous.lookup': null };
    const change = { set: { revokedAt, handover: null }, unset: ['slot'] } as const;
    return (await this.#documents.update(unseen, change)) === 1;
  }

  /** Gives a key a new secret. False if it is not as `key` says: of concurrent changes one succeeds. */
  async rotate(
    { id, lookup, handover }: Pick<ApiKey, 'id' | 'lookup' | 'handover'>,
    set: Pick<ApiKey, 'lookup' | 'hash' | 'previous' | 'handover'>,
  ): Promise<boolean> {
    const asRead = {
      'handover.request': handover?.request ?? null,
      'handover.isShown': handover?.isShown ?? null,
    };
    return (await this.#documents.update({ id, lookup, revokedAt: null, ...asRead }, { set })) === 1;
  }

  /** False if there is no such key. */
  async rename(id: string, name: string): Promise<boolean> {
    return (await this.#documents.update({ id }, { set: { name } })) === 1;
  }

  /** False if the handover of the key has another request. */
  async confirmShown(id: string, request: string): Promise<boolean> {
    const where = { id, 'handover.request': request };
    return (await this.#documents.update(where, { set: { 'handover.isShown': true } })) === 1;
  }

  /** False if stored before, or no such key. Also confirms the handover of the key's only secret. */
  async markFirstUsed(id: string, firstUsedAt: EpochMs): Promise<boolean> {
    const isUnused = { id, firstUsedAt: null };
    const isOnlySecret = { 'previous.lookup': null, 'handover.isShown': false };
    const set = { firstUsedAt, 'handover.isShown': true };
    if ((await this.#documents.update({ ...isUnused, ...isOnlySecret }, { set })) === 1) return true;
    return (await this.#documents.update(isUnused, { set: { firstUsedAt } })) === 1;
  }

  async setTier(id: string, tier: Tier, trialEndsAt: EpochMs | null): Promise<boolean> {
    return (await this.#documents.update({ id }, { set: { tier, trialEndsAt } })) === 1;
  }

  /** Keys stored as Pro that are not revoked and whose trial ends in the window, oldest end first. */
  async endedTrials({ from, until, limit, after }: EndedTrials): Promise<readonly ApiKey[]> {
    const where = { tier: 'pro', revokedAt: null, trialEndsAt: { gt: from, lte: until } } as const;
    const last = after && { value: after.trialEndsAt ?? 0, id: after.id };
    return (await this.#documents.find({ where, order: 'trialEndsAt', limit, after: last })).map(toKey);
  }

  /** How many keys that are not revoked count as each tier at a time. */
  async countByTier(now: EpochMs): Promise<Readonly<Record<Tier, number>>> {
    const counts = { free: 0, pro: 0, enterprise: 0 } satisfies Record<Tier, number>;
    const options = { timeoutMs: LONG_CALL_MS };
    for (const tier of TIERS) {
      const active = { tier, revokedAt: null };
      const ended = await this.#documents.count({ ...active, trialEndsAt: { lte: now } }, options);
      counts[tier] += (await this.#documents.count(active, options)) - ended;
      counts.free += ended;
    }
    return counts;
  }

  async removeAll(customerId: string): Promise<void> {
    await this.#documents.delete({ customerId });
  }

  async #find(where: Where<KeyDocument>): Promise<readonly ApiKey[]> {
    return (await this.#documents.find({ where })).map(toKey);
  }
}

function toKey({ slot, ...key }: KeyDocument): ApiKey {
  return key;
}
