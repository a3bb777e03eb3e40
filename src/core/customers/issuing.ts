import { DAY_MS } from '../duration.ts';
import type { ApiKey, FormerSecret } from '../keys/api-key.ts';
import { mintKey, mintSecret } from '../keys/mint-key.ts';
import type { EpochMs } from '../trade.ts';
import type { CustomerRecords } from './customer-records.ts';
import {
  CUSTOMER_LIMITS,
  type CustomerServiceDeps,
  type KeyRequest,
  type KeyRequestResult,
  type RotateRequest,
  type RotateResult,
} from './customer-service.ts';
import type { CustomerRecord } from './customer-store.ts';
import { isUnseen, type Trials, wasShown } from './trials.ts';

/** More attempts than concurrent changes can fail. */
const ATTEMPTS = 20;

type Retry = 'retry';

/** Issues keys to customers. */
export class Issuing {
  readonly #deps: CustomerServiceDeps;
  readonly #records: CustomerRecords;
  readonly #trials: Trials;

  constructor(deps: CustomerServiceDeps, records: CustomerRecords, trials: Trials) {
    this.#deps = deps;
    this.#records = records;
    this.#trials = trials;
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
}

/** `Key 1`, or the next free number. */
function freeName(held: readonly ApiKey[]): string {
  const names = new Set(held.map(({ name }) => name));
  for (let number = 1; ; number += 1) if (!names.has(`Key ${number}`)) return `Key ${number}`;
}

/** Lifetime of the old secret. */
const OLD_SECRET_MS = DAY_MS;

/** Rotates the secrets of keys. Throws after 20 attempts that failed because of concurrent changes. */
export function createRotating(
  deps: Pick<CustomerServiceDeps, 'keys' | 'clock' | 'hasher' | 'random'>,
  records: CustomerRecords,
): (request: RotateRequest) => Promise<RotateResult> {
  const { keys, clock } = deps;

  async function rotate(key: ApiKey, { keepOld, request }: RotateRequest): Promise<RotateResult | 'retry'> {
    const { secret, ...made } = await mintSecret(deps);
    const previous = formerOf(key, keepOld, clock.now());
    const handover = { request, isShown: false };
    const rotation = { from: key.lookup, ...made, previous, handover };
    if ((await keys.rotate(key.id, rotation)) !== 'rotated') return 'retry';
    return { ok: true, key: { ...key, ...made, previous, handover }, secret };
  }

  return async (asked) => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const record = await records.resolve(asked.customerId);
      if (record === null) return { ok: false, reason: 'unknown_customer' };
      if (record.bannedAt !== null) return { ok: false, reason: 'banned' };
      const key = await keys.byId(asked.keyId);
      if (key === null || key.customerId !== record.id || key.revokedAt !== null) {
        return { ok: false, reason: 'unknown_key' };
      }
      const same = await keys.byRequest(asked.request);
      if (same !== null && same.id !== key.id) throw new Error('the request is of another key');
      if (same !== null && wasShown(same, asked.request)) return { ok: false, reason: 'already_shown', key };
      const result = await rotate(key, asked);
      if (result !== 'retry') return result;
    }
    throw new Error(`a key could not be rotated in ${ATTEMPTS} attempts`);
  };
}

/** The owner's former secret and its end. A secret that was never shown is none. */
function formerOf(key: ApiKey, keepOld: boolean, now: EpochMs): FormerSecret | null {
  const { lookup, hash, handover, previous } = key;
  if (handover === null || handover.isShown) {
    return { lookup, hash, endsAt: keepOld ? now + OLD_SECRET_MS : now };
  }
  if (previous === null || keepOld) return previous;
  return { ...previous, endsAt: Math.min(previous.endsAt, now) };
}
