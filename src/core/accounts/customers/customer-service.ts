import type { EpochMs } from '../../base/time/duration.ts';
import { type ApiKey, hashFor } from '../keys/api-key.ts';
import { lookupOf } from '../keys/key-text.ts';
import type {
  Customer,
  CustomerPage,
  CustomerServiceDeps,
  HandleId,
  Platform,
  TrialPage,
  Visitor,
} from './customer.ts';
import { CustomerKeys } from './customer-keys.ts';
import { CustomerRecords } from './customer-records.ts';
import { Trials } from './trials.ts';

/** Customers, for the chats, the jobs and the operator. Safe for concurrent calls, also in several processes. */
export class CustomerService {
  readonly keys: CustomerKeys;
  readonly trials: Trials;
  readonly #deps: CustomerServiceDeps;
  readonly #records: CustomerRecords;

  constructor(deps: CustomerServiceDeps) {
    this.#deps = deps;
    this.#records = new CustomerRecords(deps);
    this.trials = new Trials(deps, this.#records);
    this.keys = new CustomerKeys(deps, this.#records, this.trials);
  }

  /** The customer of a visitor, created when new. Updates the name and chat. */
  visit(visitor: Visitor): Promise<Customer> {
    return this.#records.visit(visitor);
  }

  /** Whether the person is known to have blocked the bot or closed their messages; reset by their next visit. */
  async isUnreachable(person: HandleId): Promise<boolean> {
    return (await this.#deps.customers.byPerson(person))?.isReachable === false;
  }

  byId(id: string): Promise<Customer | null> {
    return this.#records.resolve(id);
  }

  /** Customers by `cus_…`, `key_…`, `telegram:123`, name, key or the first 10 characters of its secret; at most 20. */
  find(text: string): Promise<readonly Customer[]> {
    return this.#records.find(text.trim());
  }

  /** Keys that are not revoked, oldest first. */
  async keysOf(customerId: string): Promise<readonly ApiKey[]> {
    const owner = await this.#records.resolve(customerId);
    return owner === null ? [] : this.#deps.keys.byCustomer(owner.id);
  }

  /** Revokes all keys and removes all data, including pending messages; a salted hash of a person with a trial is kept. */
  async erase(customerId: string): Promise<void> {
    await this.#records.erase(customerId);
    await this.#deps.purgeDeleted();
  }

  markUnreachable(platform: Platform, userId: string): Promise<void> {
    return this.#deps.customers.markUnreachable(platform, userId);
  }

  /** The owner of a key, which is verified in full; the key may be revoked. Null for a key that was replaced or never existed. */
  async ownerOfSecret(
    secret: string,
  ): Promise<{ readonly key: ApiKey; readonly customer: Customer | null } | null> {
    const { keys, hasher, clock } = this.#deps;
    const lookup = lookupOf(secret);
    const key = lookup === null ? null : await keys.byLookup(lookup);
    if (lookup === null || key === null) return null;
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

  /** Customers that can receive messages, in pages by id. A page shorter than `limit` is the last one. */
  async page({ limit, after }: CustomerPage): Promise<readonly Customer[]> {
    const found: Customer[] = [];
    for (let from = after; ; ) {
      const page = await this.#deps.customers.page({ limit, after: from });
      const reachable = page.filter(({ isReachable }) => isReachable);
      found.push(...reachable.slice(0, limit - found.length));
      from = page.at(-1)?.id;
      if (found.length === limit || page.length < limit) return found;
    }
  }

  /** Customers whose trial ends in a span, in pages by that end. */
  trialsEnding(page: TrialPage): Promise<readonly Customer[]> {
    return this.#deps.customers.trialsEnding(page);
  }

  /** Completes erasures that a crash interrupted. Returns how many there were, at most 100. */
  resumeInterrupted(): Promise<number> {
    return this.#records.finish();
  }

  count(since: EpochMs): Promise<{ readonly total: number; readonly new: number }> {
    return this.#deps.customers.count(since);
  }
}
