import type { Customer, Visitor } from './customer.ts';
import type { CustomerServiceDeps } from './customer-deps.ts';
import type { CustomerRecord } from './customer-store.ts';
import { Erasing } from './erasing.ts';
import { Merging } from './merging.ts';

/** 16 characters in base64url. */
const ID_BYTES = 12;
const PAGE = 100;

/** Records of customers. Each read first completes a merge or an erasure of the customer that a crash interrupted. */
export class CustomerRecords {
  readonly #deps: CustomerServiceDeps;
  readonly #erasing: Erasing;
  readonly #merging: Merging;

  constructor(deps: CustomerServiceDeps) {
    this.#deps = deps;
    this.#erasing = new Erasing(deps);
    this.#merging = new Merging(deps, this.#erasing);
  }

  /** The customer of a visitor, created when the visitor is new. */
  async visit(visitor: Visitor): Promise<CustomerRecord> {
    const { customers, random, clock } = this.#deps;
    for (;;) {
      const id = await customers.touch(visitor, `cus_${random.base64url(ID_BYTES)}`);
      const known = await this.resolve(id);
      if (known !== null) return known;
      const isInserted = await customers.insert(newRecord(id, clock.now()));
      // The visitor's data may have been erased meanwhile: a customer without a handle is removed again.
      if ((await customers.handle(visitor))?.customerId === id) continue;
      if (isInserted) await customers.remove(id);
    }
  }

  /** The customer with this id, or the one it was merged into; null when there is none (any more). */
  async resolve(id: string): Promise<CustomerRecord | null> {
    for (let next = id; ; ) {
      const record = await this.#deps.customers.get(next);
      if (record === null) return null;
      if (record.erasingAt !== null) await this.#erasing.finish(record);
      else if (record.mergedInto === null) return record;
      else if (record.isMoved) next = record.mergedInto;
      else await this.#merging.finish(record);
    }
  }

  /** The customers with their handles, in the same order. */
  async shown(records: readonly CustomerRecord[]): Promise<readonly Customer[]> {
    const handles = await this.#deps.customers.handlesOf(records.map(({ id }) => id));
    return records.map(({ id, trial, bannedAt, createdAt }) => {
      const own = handles.filter(({ customerId }) => customerId === id);
      return { id, handles: own.map(({ customerId, ...handle }) => handle), trial, bannedAt, createdAt };
    });
  }

  /** Replaces the current record by `next` of it; `next` returns null for no change. Null without such a customer. */
  async change(
    id: string,
    next: (record: CustomerRecord) => CustomerRecord | null,
  ): Promise<CustomerRecord | null> {
    for (;;) {
      const record = await this.resolve(id);
      const changed = record === null ? null : next(record);
      if (record === null || changed === null) return record;
      if (await this.#deps.customers.replace(changed)) return { ...changed, version: changed.version + 1 };
    }
  }

  /** Removes all data of the customer. */
  async erase(id: string): Promise<void> {
    const erasingAt = this.#deps.clock.now();
    const record = await this.change(id, (found) => ({ ...found, erasingAt }));
    if (record !== null) await this.resolve(record.id);
  }

  /** Merges the two; false when one of them was changed meanwhile. */
  merge(one: CustomerRecord, other: CustomerRecord): Promise<boolean> {
    return this.#merging.merge(one, other);
  }

  /** Completes interrupted merges and erasures. Returns how many there were, 100 at most. */
  async finish(): Promise<number> {
    const records = await this.#deps.customers.unfinished(PAGE);
    for (const { id } of records) await this.resolve(id);
    return records.length;
  }
}

function newRecord(id: string, createdAt: number): CustomerRecord {
  const rest = { bannedAt: null, mergedInto: null, isMoved: false, erasingAt: null, version: 0 };
  return { id, trial: null, createdAt, ...rest };
}
