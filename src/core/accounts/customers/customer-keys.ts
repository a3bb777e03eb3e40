import { FairQueue } from '../../base/async/fair-queue.ts';
import { DAY_MS, type EpochMs } from '../../base/time/duration.ts';
import { type ApiKey, hashFor, type KeyLimits, type NewKey, type Refused } from '../keys/api-key.ts';
import { KeyService, keyName, mintKey, mintSecret } from '../keys/key-service.ts';
import { CUSTOMER_KEYS_MAX, type CustomerRecord, type CustomerServiceDeps } from './customer.ts';
import type { CustomerRecords } from './customer-records.ts';
import type { Trials } from './trials.ts';

/** More attempts than concurrent changes can make fail. */
const ATTEMPTS = 20;

type Retry = 'retry';

/** Request for a key. `request` identifies the tap: one request never yields two keys, until the secret it gave is replaced. */
export interface KeyRequest {
  readonly customerId: string;
  readonly tier: 'free' | 'pro';
  readonly request: string;
}

/** This request already yielded a key, and its message was delivered. */
interface AlreadyShown extends Refused<'already_shown'> {
  readonly key: ApiKey;
}

/** `trialUsed`: a Pro key was requested, but the key is Free because the customer already had a trial. */
export type KeyRequestResult =
  | (NewKey & { readonly trialUsed: boolean })
  | AlreadyShown
  | Refused<'too_many_keys' | 'banned' | 'unknown_customer'>;

/** A new secret for a key of the customer. */
export interface RotateRequest {
  readonly customerId: string;
  readonly keyId: string;
  /** Whether the old secret works for another 24 hours, or ends now. */
  readonly keepOld: boolean;
  readonly request: string;
}

type RotateResult = NewKey | AlreadyShown | Refused<'unknown_key' | 'banned' | 'unknown_customer'>;

/** An Enterprise key to issue; without an owner in chat when `customerId` is null. */
export interface ProvisionRequest {
  readonly customerId: string | null;
  readonly name: string;
  readonly limits: KeyLimits | null;
}

/** A change of one key of a customer. */
export type CustomerKeyResult =
  | { readonly ok: true; readonly key: ApiKey }
  | Refused<'unknown_key' | 'bad_name'>;

/** Keys of customers; requests of one customer run one after another, so a double tap costs one hash. */
export class CustomerKeys {
  /** Keys with and without a customer. */
  readonly service: KeyService;
  readonly #deps: CustomerServiceDeps;
  readonly #records: CustomerRecords;
  readonly #trials: Trials;
  readonly #queue = new FairQueue({ runningPerCaller: 1 });

  constructor(deps: CustomerServiceDeps, records: CustomerRecords, trials: Trials) {
    this.#deps = deps;
    this.#records = records;
    this.#trials = trials;
    this.service = new KeyService(deps);
  }

  /**
   * Issues a key. Keys of this or an earlier request whose message was not confirmed are revoked first; a trial that
   * began with such a key continues with the new one. Throws after 20 attempts that failed because of concurrent changes; only a
   * faulty store causes that.
   */
  issue(request: KeyRequest): Promise<KeyRequestResult> {
    return this.#inTurn(request.customerId, (record) => this.#issue(record, request));
  }

  /** Replaces the secret of a key; its record stays. Throws as `issue` does. */
  rotate(request: RotateRequest): Promise<RotateResult> {
    return this.#inTurn(request.customerId, (record) => this.#rotate(record, request));
  }

  /** Records that the message with the key of this request was delivered. */
  async confirmShown(keyId: string, request: string): Promise<void> {
    await this.#deps.keys.confirmShown(keyId, request);
  }

  /** Records that the customer has seen this secret. False when it is not theirs, or no longer works. */
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

  async rename(customerId: string, keyId: string, text: string): Promise<CustomerKeyResult> {
    const name = keyName(text);
    if (name === null) return { ok: false, reason: 'bad_name' };
    return this.#change(customerId, keyId, () => this.#deps.keys.rename(keyId, name));
  }

  revoke(customerId: string, keyId: string): Promise<CustomerKeyResult> {
    const { keys, clock } = this.#deps;
    return this.#change(customerId, keyId, () => keys.revoke(keyId, clock.now()));
  }

  /** Issues an Enterprise key; without an owner in chat when `customerId` is null. */
  async provision({
    customerId,
    name,
    limits,
  }: ProvisionRequest): Promise<NewKey | Refused<'unknown_customer' | 'bad_name' | 'bad_limits'>> {
    if (limits !== null && !areLimits(limits)) return { ok: false, reason: 'bad_limits' };
    const record = customerId === null ? null : await this.#records.resolve(customerId);
    if (customerId !== null && record === null) return { ok: false, reason: 'unknown_customer' };
    const issued = await this.service.issue({ tier: 'enterprise', name, customerId, limits });
    return issued.ok ? issued : { ok: false, reason: 'bad_name' };
  }

  /** Repeats what failed because of a concurrent change. */
  #inTurn<Result>(customerId: string, act: (record: CustomerRecord) => Promise<Result | Retry>) {
    const attempts = async () => {
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const record = await this.#records.resolve(customerId);
        if (record === null) return { ok: false, reason: 'unknown_customer' } as const;
        if (record.bannedAt !== null) return { ok: false, reason: 'banned' } as const;
        const result = await act(record);
        if (result !== 'retry') return result;
      }
      throw new Error(`a key could not be issued or rotated in ${ATTEMPTS} attempts`);
    };
    return this.#queue.run(attempts, { caller: customerId });
  }

  async #change(
    customerId: string,
    keyId: string,
    write: () => Promise<boolean>,
  ): Promise<CustomerKeyResult> {
    const { keys } = this.#deps;
    const owner = await this.#records.resolve(customerId);
    const key = await keys.byId(keyId);
    const isOwn = owner !== null && key?.customerId === owner.id && key.revokedAt === null;
    const changed = isOwn && (await write()) ? await keys.byId(keyId) : null;
    return changed === null ? { ok: false, reason: 'unknown_key' } : { ok: true, key: changed };
  }

  async #issue(record: CustomerRecord, asked: KeyRequest): Promise<KeyRequestResult | Retry> {
    const { keys } = this.#deps;
    const { tier, request } = asked;
    const same = await keys.byRequest(request);
    if (same !== null && !(await this.#isOwn(same, record)))
      throw new Error('the request is of another customer');
    if (same?.handover?.isShown) return { ok: false, reason: 'already_shown', key: same };
    const held = await this.#retireUnseen(record, same);
    if (held === null) return 'retry';
    if (held.length >= CUSTOMER_KEYS_MAX) return { ok: false, reason: 'too_many_keys' };
    const trialEndsAt = await this.#trialEndOf(record, asked);
    if (trialEndsAt === 'retry') return 'retry';
    const { key, secret } = await mintKey(this.#deps, {
      name: freeName(held),
      tier: trialEndsAt === null ? 'free' : 'pro',
      trialEndsAt,
      handover: { request, isShown: false },
    });
    const owned = { ...key, customerId: record.id };
    const outcome = await keys.insertWithin(owned, CUSTOMER_KEYS_MAX);
    if (outcome === 'too_many') return { ok: false, reason: 'too_many_keys' };
    if (outcome !== 'inserted' || !(await this.#isAllowed(owned, record.id, request))) return 'retry';
    return { ok: true, key: owned, secret, trialUsed: tier === 'pro' && trialEndsAt === null };
  }

  /** After a crash the key may belong to a customer that was removed. */
  async #isOwn({ customerId }: ApiKey, { id }: CustomerRecord): Promise<boolean> {
    if (customerId === id || customerId === null) return customerId === id;
    return (await this.#records.resolve(customerId)) === null;
  }

  /** Whether the customer, as stored now, may have the key. Otherwise the key is retired unseen. */
  async #isAllowed(key: ApiKey, owner: string, request: string): Promise<boolean> {
    const { customers, keys, clock } = this.#deps;
    const now = await customers.get(owner);
    const isTheirs = now !== null && now.erasingAt === null;
    const isFree = key.trialEndsAt === null;
    const hasTrial = now?.trial?.request === request && now.trial.endsAt === key.trialEndsAt;
    if (isTheirs && now.bannedAt === null && (isFree || hasTrial)) return true;
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

  async #trialEndOf(record: CustomerRecord, { tier, request }: KeyRequest): Promise<EpochMs | null | Retry> {
    if (tier === 'free') return null;
    const claim = await this.#trials.claim(record, request);
    if (claim === 'changed') return 'retry';
    if (claim === 'used') return null;
    // A key of an earlier request may have been shown just before its trial was claimed.
    if ((await this.#retireUnseen(record, null)) === null) return 'retry';
    return (await this.#trials.wasSeen(record.id, claim.endsAt)) ? null : claim.endsAt;
  }

  async #rotate(record: CustomerRecord, asked: RotateRequest): Promise<RotateResult | Retry> {
    const { keys } = this.#deps;
    const key = await keys.byId(asked.keyId);
    if (key === null || key.customerId !== record.id || key.revokedAt !== null)
      return { ok: false, reason: 'unknown_key' };
    const same = await keys.byRequest(asked.request);
    if (same !== null && same.id !== key.id) throw new Error('the request is of another key');
    if (same?.handover?.isShown) return { ok: false, reason: 'already_shown', key };
    return this.#replaceSecret(key, asked);
  }

  async #replaceSecret(key: ApiKey, { keepOld, request }: RotateRequest): Promise<RotateResult | Retry> {
    const { secret, ...made } = await mintSecret(this.#deps);
    const previous = formerOf(key, keepOld, this.#deps.clock.now());
    const handover = { request, isShown: false };
    const change = { ...made, previous, handover };
    if (!(await this.#deps.keys.rotate(key, change))) return 'retry';
    return { ok: true, key: { ...key, ...change }, secret };
  }
}

/** Whether no secret of the key was ever shown. */
function isUnseen({ handover, previous }: ApiKey): boolean {
  return handover !== null && !handover.isShown && previous === null;
}

function freeName(held: readonly ApiKey[]): string {
  const names = new Set(held.map(({ name }) => name));
  for (let number = 1; ; number += 1) if (!names.has(`Key ${number}`)) return `Key ${number}`;
}

const OLD_SECRET_MS = DAY_MS;

/** The owner's former secret and its end. A secret that was never shown does not count. */
function formerOf(key: ApiKey, keepOld: boolean, now: EpochMs): ApiKey['previous'] {
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
