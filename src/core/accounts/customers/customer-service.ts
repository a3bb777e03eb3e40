import { FairQueue } from '../../base/async/fair-queue.ts';
import type { EpochMs } from '../../base/time/duration.ts';
import { type ApiKey, hashFor } from '../keys/api-key.ts';
import { KeyService, keyName } from '../keys/key-service.ts';
import { lookupOf } from '../keys/key-text.ts';
import type { Tier } from '../tier.ts';
import type { Customer, Platform, Visitor } from './customer.ts';
import { CustomerRecords } from './customer-records.ts';
import type { CustomerQuery, CustomerServiceDeps } from './customer-store.ts';
import {
  Issuing,
  type KeyRequest,
  type KeyRequestResult,
  type ProvisionRequest,
  type ProvisionResult,
  type RotateRequest,
  type RotateResult,
} from './issuing.ts';
import { Linking, type LinkResult } from './linking.ts';
import { Trials } from './trials.ts';

/** A change of one key of a customer. */
export type CustomerKeyResult =
  | { readonly ok: true; readonly key: ApiKey }
  | { readonly ok: false; readonly reason: 'unknown_key' | 'bad_name' };

type TrialWindow = NonNullable<CustomerQuery['trialEnds']>;

/**
 * Customers and their keys, for the chats, the jobs and the operator. Safe for concurrent calls: requests of one customer run
 * one after the other in this process, so that a double tap costs one hash at a time; the store resolves conflicts between
 * processes.
 */
export class CustomerService {
  readonly #deps: CustomerServiceDeps;
  readonly #records: CustomerRecords;
  readonly #trials: Trials;
  readonly #issuing: Issuing;
  readonly #linking: Linking;
  readonly #keyService: KeyService;
  readonly #queue = new FairQueue({ runningPerCaller: 1 });

  constructor(deps: CustomerServiceDeps) {
    this.#deps = deps;
    this.#records = new CustomerRecords(deps);
    this.#trials = new Trials(deps, this.#records);
    this.#issuing = new Issuing(deps, this.#records, this.#trials);
    this.#linking = new Linking(deps, this.#records);
    this.#keyService = new KeyService(deps);
  }

  /** The customer of a visitor, created when new. Updates the name and chat of the handle. */
  async visit(visitor: Visitor): Promise<Customer> {
    return this.#records.shownOne(await this.#records.visit(visitor));
  }

  async byId(id: string): Promise<Customer | null> {
    const record = await this.#records.resolve(id);
    return record === null ? null : this.#records.shownOne(record);
  }

  /**
   * Customers that match a text: `cus_…`, `key_…`, `telegram:123`, `@name` or a name, a key or its beginning (`sk_live_`
   * and at least 10 characters). At most 20.
   */
  async find(text: string): Promise<readonly Customer[]> {
    return this.#records.shown(await this.#records.find(text.trim()));
  }

  /** Keys that are not revoked, oldest first. */
  async keysOf(customerId: string): Promise<readonly ApiKey[]> {
    const owner = await this.#records.resolve(customerId);
    return owner === null ? [] : this.#deps.keys.byCustomer(owner.id);
  }

  /**
   * Issues a key. Keys whose message was not confirmed, of this request or an earlier one, are revoked first; a trial that
   * began with such a key continues with the new one.
   */
  requestKey(request: KeyRequest): Promise<KeyRequestResult> {
    return this.#oneAtATime(request.customerId, () => this.#issuing.issue(request));
  }

  /** Whether a Pro key requested now would be in the trial, which each person gets once. */
  async mayHaveTrial(customerId: string): Promise<boolean> {
    const record = await this.#records.resolve(customerId);
    return record !== null && this.#trials.isOpen(record);
  }

  /** Replaces the secret of a key; its record stays. */
  rotate(request: RotateRequest): Promise<RotateResult> {
    return this.#oneAtATime(request.customerId, () => this.#issuing.rotate(request));
  }

  /** Records that the message with the key of this request was delivered. */
  async confirmShown(keyId: string, request: string): Promise<void> {
    await this.#deps.keys.confirmShown(keyId, request);
  }

  /**
   * Records that the customer has seen the secret with this lookup part: they hid its message. A request may have given
   * several secrets, so it does not say which one was seen. False when the secret is none of theirs, or works no more.
   */
  confirmSeen(customerId: string, lookup: string): Promise<boolean> {
    return this.#oneAtATime(customerId, () => this.#issuing.confirmSeen(customerId, lookup));
  }

  async rename(customerId: string, keyId: string, text: string): Promise<CustomerKeyResult> {
    const name = keyName(text);
    if (name === null) return { ok: false, reason: 'bad_name' };
    return this.#changeKey(customerId, keyId, () => this.#deps.keys.rename(keyId, name));
  }

  revoke(customerId: string, keyId: string): Promise<CustomerKeyResult> {
    const { keys, clock } = this.#deps;
    return this.#changeKey(customerId, keyId, () => keys.revoke(keyId, clock.now()));
  }

  /** A code that links another handle, once, within 10 minutes. */
  startLink(customerId: string): Promise<{ readonly code: string; readonly expiresAt: EpochMs }> {
    return this.#linking.start(customerId);
  }

  /** Merges the two under the id of the older: with the keys of both and the earlier trial. */
  link(customerId: string, code: string): Promise<LinkResult> {
    return this.#oneAtATime(customerId, () => this.#linking.link(customerId, code));
  }

  /** Revokes all keys and removes all data, pending messages included; a salted hash of each handle with a trial stays. */
  erase(customerId: string): Promise<void> {
    return this.#oneAtATime(customerId, async () => {
      await this.#records.erase(customerId);
      await this.#deps.purgeDeleted();
    });
  }

  /** Marks a handle as blocked until its person writes again. */
  markUnreachable(platform: Platform, userId: string): Promise<void> {
    return this.#deps.customers.markUnreachable(platform, userId);
  }

  /** The owner of a leaked key, which is verified as a whole. Null when it is no valid key. */
  async ownerOfSecret(
    secret: string,
  ): Promise<{ readonly key: ApiKey; readonly customer: Customer | null } | null> {
    const { keys, hasher, clock } = this.#deps;
    const lookup = lookupOf(secret);
    const key = lookup === null ? null : await keys.byLookup(lookup);
    if (lookup === null || key === null || key.revokedAt !== null) return null;
    const hash = hashFor(key, lookup, clock.now());
    if (hash === null || !(await hasher.verify(hash, secret))) return null;
    return { key, customer: key.customerId === null ? null : await this.byId(key.customerId) };
  }

  /** For the operator. False for an unknown customer. */
  async ban(customerId: string): Promise<boolean> {
    const { keys, clock } = this.#deps;
    const bannedAt = clock.now();
    const record = await this.#records.change(customerId, (found) =>
      found.bannedAt === null ? { ...found, bannedAt } : null,
    );
    if (record === null) return false;
    for (const { id } of await keys.byCustomer(record.id)) await keys.revoke(id, clock.now());
    return true;
  }

  /** False for an unknown customer. */
  async unban(customerId: string): Promise<boolean> {
    const record = await this.#records.change(customerId, (found) =>
      found.bannedAt === null ? null : { ...found, bannedAt: null },
    );
    return record !== null;
  }

  /** Extends a trial and the keys in it by so many days; an ended trial from now on. */
  extendTrial(customerId: string, days: number): Promise<Customer | 'unknown_customer' | 'no_trial'> {
    return this.#trials.extend(customerId, days);
  }

  async setTier(keyId: string, tier: Tier): Promise<ApiKey | 'unknown_key' | 'revoked_key'> {
    const result = await this.#keyService.setTier(keyId, tier);
    return result.ok ? result.key : result.reason;
  }

  /** Issues an Enterprise key; without an owner in chat when `customerId` is null. */
  provision(request: ProvisionRequest): Promise<ProvisionResult> {
    return this.#issuing.provision(request);
  }

  /** Customers that can receive messages, in pages by id. A page shorter than `limit` is the last one. */
  async page({ limit, after }: CustomerQuery): Promise<readonly Customer[]> {
    const found: Customer[] = [];
    for (let from = after; ; ) {
      const page = await this.#deps.customers.page({ limit, ...(from !== undefined && { after: from }) });
      const shown = await this.#records.shown(page);
      const reachable = shown.filter(({ handles }) => handles.some(({ isReachable }) => isReachable));
      found.push(...reachable.slice(0, limit - found.length));
      from = page.at(-1)?.id;
      if (found.length === limit || page.length < limit) return found;
    }
  }

  /** Customers whose trial ends after `from` and at or before `until`, in pages by id. */
  async trialsEnding({ from, until, ...page }: TrialWindow & CustomerQuery): Promise<readonly Customer[]> {
    return this.#records.shown(await this.#deps.customers.page({ ...page, trialEnds: { from, until } }));
  }

  /** Completes merges and erasures that a crash interrupted. Returns how many there were, 100 at most. */
  resumeInterrupted(): Promise<number> {
    return this.#records.finish();
  }

  /** Number of customers, and of those created since the moment. */
  count(since: EpochMs): Promise<{ readonly total: number; readonly new: number }> {
    return this.#deps.customers.count(since);
  }

  #oneAtATime<T>(customerId: string, task: () => Promise<T>): Promise<T> {
    return this.#queue.run(task, { caller: customerId });
  }

  async #changeKey(
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
}
