import type { ApiKey } from '../keys/api-key.ts';
import { mintKey } from '../keys/mint-key.ts';
import type { EpochMs } from '../trade.ts';
import type { CustomerServiceDeps } from './customer-deps.ts';
import type { CustomerRecords } from './customer-records.ts';
import { CUSTOMER_LIMITS, type KeyRequest, type KeyRequestResult } from './customer-service.ts';
import type { CustomerRecord } from './customer-store.ts';
import { createTrials, isUnseen, wasShown } from './trials.ts';

/** More than what others at once can spoil. */
const ATTEMPTS = 20;

type Again = 'again';

/** Gives keys to customers. Throws when it is spoiled again and again, which takes a broken store. */
export function createIssuing(
  deps: CustomerServiceDeps,
  customerRecords: CustomerRecords,
): (request: KeyRequest) => Promise<KeyRequestResult> {
  const { customers, keys, clock } = deps;
  const clear = createClearing(deps);
  const termOf = createTerms(deps, clear);

  /** A crash may have left the key with a customer that is a part of this one by now, or that is gone. */
  async function isOwn({ customerId }: ApiKey, { id }: CustomerRecord): Promise<boolean> {
    if (customerId === id || customerId === null) return customerId === id;
    const owner = await customerRecords.resolve(customerId);
    return owner === null || owner.id === id;
  }

  /** Whether the key is what the customer, as they are now, may have. Otherwise nobody gets to see it. */
  async function isInOrder(key: ApiKey, owner: string, request: string): Promise<boolean> {
    const now = await customers.get(owner);
    const isTheirs = now !== null && now.erasingAt === null;
    const isFree = key.trialEndsAt === null;
    const hasTrial = now?.trial?.request === request && now.trial.endsAt === key.trialEndsAt;
    if (isTheirs && now.mergedInto === null && now.bannedAt === null && (isFree || hasTrial)) return true;
    await keys.retire(key.id, clock.now());
    if (!isTheirs) await keys.removeAll(owner);
    return false;
  }

  async function issue(record: CustomerRecord, asked: KeyRequest): Promise<KeyRequestResult | Again> {
    const { tier, request } = asked;
    const same = await keys.byRequest(request);
    if (same !== null && !(await isOwn(same, record))) throw new Error('the request is of another customer');
    if (same !== null && wasShown(same, request)) return { ok: false, reason: 'already_shown', key: same };
    const held = await clear(record, same);
    if (held === null) return 'again';
    if (held.length >= CUSTOMER_LIMITS.activeKeys) return { ok: false, reason: 'too_many_keys' };
    const trialEndsAt = await termOf(record, asked);
    if (trialEndsAt === 'again') return 'again';
    const { key, secret } = await mintKey(deps, {
      name: freeName(held),
      tier: trialEndsAt === null ? 'free' : 'pro',
      trialEndsAt,
      handover: { request, isShown: false },
    });
    const owned = { ...key, customerId: record.id };
    const outcome = await keys.insertWithin(owned, CUSTOMER_LIMITS.activeKeys);
    if (outcome === 'too_many') return { ok: false, reason: 'too_many_keys' };
    if (outcome !== 'inserted' || !(await isInOrder(owned, record.id, request))) return 'again';
    return { ok: true, key: owned, secret, trialUsed: tier === 'pro' && trialEndsAt === null };
  }

  return async (asked) => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const record = await customerRecords.resolve(asked.customerId);
      if (record === null) return { ok: false, reason: 'unknown_customer' };
      if (record.bannedAt !== null) return { ok: false, reason: 'banned' };
      const result = await issue(record, asked);
      if (result !== 'again') return result;
    }
    throw new Error(`a key could not be issued in ${ATTEMPTS} attempts`);
  };
}

/** Revokes what nobody has seen, and returns the rest. Null when one of them was shown meanwhile. */
function createClearing({ keys, clock }: Pick<CustomerServiceDeps, 'keys' | 'clock'>) {
  return async ({ id }: CustomerRecord, same: ApiKey | null): Promise<readonly ApiKey[] | null> => {
    const held = await keys.byCustomer(id);
    const unseen = held.filter(isUnseen);
    if (same !== null && !unseen.some((key) => key.id === same.id)) unseen.push(same);
    for (const key of unseen) if (!(await keys.retire(key.id, clock.now()))) return null;
    return held.filter((key) => !isUnseen(key));
  };
}

type Clearing = ReturnType<typeof createClearing>;

/** When the trial ends that a new key is to be in; null for a free key. */
function createTerms(deps: CustomerServiceDeps, clear: Clearing) {
  const trials = createTrials(deps);
  return async (record: CustomerRecord, { tier, request }: KeyRequest): Promise<EpochMs | null | Again> => {
    if (tier === 'free') return null;
    const claim = await trials.claim(record, request);
    if (claim === 'changed') return 'again';
    if (claim === 'used') return null;
    // A key of an earlier request may have arrived just before its trial was claimed.
    if ((await clear(record, null)) === null) return 'again';
    return (await trials.wasSeen(record.id, claim.endsAt)) ? null : claim.endsAt;
  };
}

/** `Key 1`, or the next number that none of them has. */
function freeName(held: readonly ApiKey[]): string {
  const names = new Set(held.map(({ name }) => name));
  for (let number = 1; ; number += 1) if (!names.has(`Key ${number}`)) return `Key ${number}`;
}
