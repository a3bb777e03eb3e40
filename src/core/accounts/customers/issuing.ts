import { DAY_MS, type EpochMs } from '../../base/time/duration.ts';
import { type ApiKey, type FormerSecret, hashFor, type KeyLimits } from '../keys/api-key.ts';
import { KeyService } from '../keys/key-service.ts';
import { mintKey, mintSecret } from '../keys/mint-key.ts';
import { CUSTOMER_LIMITS } from './customer.ts';
import type { CustomerRecords } from './customer-records.ts';
import type { CustomerRecord, CustomerServiceDeps } from './customer-store.ts';
import { isUnseen, type Trials, wasShown } from './trials.ts';

/** More attempts than concurrent changes can fail. */
const ATTEMPTS = 20;

type Retry = 'retry';

/** Request for a key. `request` identifies the tap: one request never gives two keys. */
export interface KeyRequest {
  readonly customerId: string;
  readonly tier: 'free' | 'pro';
  readonly request: string;
}

/**
 * `secret`: the whole key, returned only here. `trialUsed`: a Pro key was requested, but it is a Free one because the
 * customer already had the trial.
 */
export type KeyRequestResult =
  | { readonly ok: true; readonly key: ApiKey; readonly secret: string; readonly trialUsed: boolean }
  /** `already_shown`: this request already gave a key, whose message was delivered. */
  | { readonly ok: false; readonly reason: 'already_shown'; readonly key: ApiKey }
  | { readonly ok: false; readonly reason: 'too_many_keys' | 'banned' | 'unknown_customer' };

/** A new secret for a key of the customer. */
export interface RotateRequest {
  readonly customerId: string;
  readonly keyId: string;
  /** Whether the old secret works for another 24 hours, or ends now. */
  readonly keepOld: boolean;
  readonly request: string;
}

/** As `KeyRequestResult`. */
export type RotateResult =
  | { readonly ok: true; readonly key: ApiKey; readonly secret: string }
  | { readonly ok: false; readonly reason: 'already_shown'; readonly key: ApiKey }
  | { readonly ok: false; readonly reason: 'unknown_key' | 'banned' | 'unknown_customer' };

/** An Enterprise key to issue; without an owner in chat when `customerId` is null. */
export interface ProvisionRequest {
  readonly customerId: string | null;
  readonly name: string;
  readonly limits: KeyLimits | null;
}

/** The key with its whole secret, or a refusal. */
export type ProvisionResult =
  | { readonly ok: true; readonly key: ApiKey; readonly secret: string }
  | { readonly ok: false; readonly reason: 'unknown_customer' | 'bad_name' | 'bad_limits' };

/** Issues keys to customers. */
export class Issuing {
  readonly #deps: CustomerServiceDeps;
  readonly #records: CustomerRecords;
  readonly #trials: Trials;
  readonly #keyService: KeyService;

  constructor(deps: CustomerServiceDeps, records: CustomerRecords, trials: Trials) {
    this.#deps = deps;
    this.#records = records;
    this.#trials = trials;
    this.#keyService = new KeyService(deps);
  }

  /** Throws after 20 attempts that failed because of concurrent changes, which only a faulty store causes. */
  async issue(request: KeyRequest): Promise<KeyRequestResult> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const record = await this.#records.resolve(request.customerId);
      if (record === null) return { ok: false, reason: 'unknown_customer' };
      if (record.bannedAt !== null) return { ok: false, reason: 'banned' };
      const result = await this.#attempt(record, request);
      if (result !== 'retry') return result;
    }
    throw new Error(`a key could not be issued in ${ATTEMPTS} attempts`);
  }

  async #attempt(record: CustomerRecord, asked: KeyRequest): Promise<KeyRequestResult | Retry> {
    const { keys } = this.#deps;
    const { tier, request } = asked;
    const same = await keys.byRequest(request);
    if (same !== null && !(await this.#isOwn(same, record)))
      throw new Error('the request is of another customer');
    if (same !== null && wasShown(same, request)) return { ok: false, reason: 'already_shown', key: same };
    const held = await this.#retireUnseen(record, same);
    if (held === null) return 'retry';
    if (held.length >= CUSTOMER_LIMITS.activeKeys) return { ok: false, reason: 'too_many_keys' };
    const trialEndsAt = await this.#trialEndOf(record, asked);
    if (trialEndsAt === 'retry') return 'retry';
    const { key, secret } = await mintKey(this.#deps, {
      name: freeName(held),
      tier: trialEndsAt === null ? 'free' : 'pro',
      trialEndsAt,
      handover: { request, isShown: false },
    });
    const owned = { ...key, customerId: record.id };
    const outcome = await keys.insertWithin(owned, CUSTOMER_LIMITS.activeKeys);
    if (outcome === 'too_many') return { ok: false, reason: 'too_many_keys' };
    if (outcome !== 'inserted' || !(await this.#isAllowed(owned, record.id, request))) return 'retry';
    return { ok: true, key: owned, secret, trialUsed: tier === 'pro' && trialEndsAt === null };
  }

  /** After a crash the key may belong to a customer that was merged into this one, or was removed. */
  async #isOwn({ customerId }: ApiKey, { id }: CustomerRecord): Promise<boolean> {
    if (customerId === id || customerId === null) return customerId === id;
    const owner = await this.#records.resolve(customerId);
    return owner === null || owner.id === id;
  }

  /** Whether the customer, as stored now, may have the key. Otherwise the key is retired unseen. */
  async #isAllowed(key: ApiKey, owner: string, request: string): Promise<boolean> {
    const { customers, keys, clock } = this.#deps;
    const now = await customers.get(owner);
    const isTheirs = now !== null && now.erasingAt === null;
    const isFree = key.trialEndsAt === null;
    const hasTrial = now?.trial?.request === request && now.trial.endsAt === key.trialEndsAt;
    if (isTheirs && now.mergedInto === null && now.bannedAt === null && (isFree || hasTrial)) return true;
    await keys.retire(key.id, clock.now());
    if (!isTheirs) await keys.removeAll(owner);
    return false;
  }

  /** Revokes the keys that were never shown, and returns the others. Null when one of them was shown meanwhile. */
  async #retireUnseen({ id }: CustomerRecord, same: ApiKey | null): Promise<readonly ApiKey[] | null> {
    const { keys, clock } = this.#deps;
    const held = await keys.byCustomer(id);
    const unseen = held.filter(isUnseen);
    if (same !== null && !unseen.some((key) => key.id === same.id)) unseen.push(same);
    for (const key of unseen) if (!(await keys.retire(key.id, clock.now()))) return null;
    return held.filter((key) => !isUnseen(key));
  }

  /** End of the trial for a new key; null for a free key. */
  async #trialEndOf(record: CustomerRecord, { tier, request }: KeyRequest): Promise<EpochMs | null | Retry> {
    if (tier === 'free') return null;
    const claim = await this.#trials.claim(record, request);
    if (claim === 'changed') return 'retry';
    if (claim === 'used') return null;
    // A key of an earlier request may have been shown just before its trial was claimed.
    if ((await this.#retireUnseen(record, null)) === null) return 'retry';
    return (await this.#trials.wasSeen(record.id, claim.endsAt)) ? null : claim.endsAt;
  }

  /** A new secret for a key. Throws as `issue` does. */
  async rotate(asked: RotateRequest): Promise<RotateResult> {
    const { keys } = this.#deps;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const record = await this.#records.resolve(asked.customerId);
      if (record === null) return { ok: false, reason: 'unknown_customer' };
      if (record.bannedAt !== null) return { ok: false, reason: 'banned' };
      const key = await keys.byId(asked.keyId);
      if (key === null || key.customerId !== record.id || key.revokedAt !== null) {
        return { ok: false, reason: 'unknown_key' };
      }
      const same = await keys.byRequest(asked.request);
      if (same !== null && same.id !== key.id) throw new Error('the request is of another key');
      if (same !== null && wasShown(same, asked.request)) return { ok: false, reason: 'already_shown', key };
      const result = await this.#replaceSecret(key, asked);
      if (result !== 'retry') return result;
    }
    throw new Error(`a key could not be rotated in ${ATTEMPTS} attempts`);
  }

  async #replaceSecret(key: ApiKey, { keepOld, request }: RotateRequest): Promise<RotateResult | Retry> {
    const { secret, ...made } = await mintSecret(this.#deps);
    const previous = formerOf(key, keepOld, this.#deps.clock.now());
    const handover = { request, isShown: false };
    const rotation = { from: key.lookup, ...made, previous, handover };
    if ((await this.#deps.keys.rotate(key.id, rotation)) !== 'rotated') return 'retry';
    return { ok: true, key: { ...key, ...made, previous, handover }, secret };
  }

  /** As `CustomerService.confirmSeen`. */
  async confirmSeen(customerId: string, lookup: string): Promise<boolean> {
    const { keys, clock } = this.#deps;
    const record = await this.#records.resolve(customerId);
    const key = await keys.byLookup(lookup);
    if (record === null || key === null || key.customerId !== record.id || key.revokedAt !== null)
      return false;
    // A former secret was seen before it was replaced.
    if (key.lookup !== lookup) return hashFor(key, lookup, clock.now()) !== null;
    return key.handover === null || keys.confirmShown(key.id, key.handover.request);
  }

  /** As `CustomerService.provision`. */
  async provision({ customerId, name, limits }: ProvisionRequest): Promise<ProvisionResult> {
    if (limits !== null && !areLimits(limits)) return { ok: false, reason: 'bad_limits' };
    const record = customerId === null ? null : await this.#records.resolve(customerId);
    if (customerId !== null && record === null) return { ok: false, reason: 'unknown_customer' };
    const owner = record?.id ?? null;
    const issued = await this.#keyService.issue({ tier: 'enterprise', name, customerId: owner, limits });
    if (!issued.ok) return { ok: false, reason: 'bad_name' };
    // The customer may have been merged meanwhile: the key follows.
    const current = owner === null ? null : await this.#records.resolve(owner);
    if (owner !== null && current !== null && current.id !== owner)
      await this.#deps.keys.moveAll(owner, current.id);
    return issued;
  }
}

/** `Key 1`, or the next free number. */
function freeName(held: readonly ApiKey[]): string {
  const names = new Set(held.map(({ name }) => name));
  for (let number = 1; ; number += 1) if (!names.has(`Key ${number}`)) return `Key ${number}`;
}

/** Lifetime of the old secret. */
const OLD_SECRET_MS = DAY_MS;

/** The owner's former secret and its end. A secret that was never shown is none. */
function formerOf(key: ApiKey, keepOld: boolean, now: EpochMs): FormerSecret | null {
  const { lookup, hash, handover, previous } = key;
  if (handover === null || handover.isShown) {
    return { lookup, hash, endsAt: keepOld ? now + OLD_SECRET_MS : now };
  }
  if (previous === null || keepOld) return previous;
  return { ...previous, endsAt: Math.min(previous.endsAt, now) };
}

function areLimits({ requestsPerMinute, maxSockets }: KeyLimits): boolean {
  return [requestsPerMinute, maxSockets].every(
    (most) => most === null || (Number.isInteger(most) && most >= 1),
  );
}
