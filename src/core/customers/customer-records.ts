import type { Customer, Visitor } from './customer.ts';
import type { CustomerServiceDeps } from './customer-deps.ts';
import type { CustomerRecord } from './customer-store.ts';
import { createErasing } from './erasing.ts';
import { createMerging } from './merging.ts';

/** Customers as they stand, whatever a crash left half done: whoever meets such a customer finishes the work. */
export interface CustomerRecords {
  /** The customer who writes, made when they are new. */
  visit(visitor: Visitor): Promise<CustomerRecord>;
  /** The customer of this id, or the one it became a part of; null when there is none, or not any more. */
  resolve(id: string): Promise<CustomerRecord | null>;
  /** With their handles. */
  shown(records: readonly CustomerRecord[]): Promise<readonly Customer[]>;
  /**
   * Writes what `next` makes of the customer as it is at that moment, `next` returning null for no change. Null when
   * there is no such customer.
   */
  change(id: string, next: (record: CustomerRecord) => CustomerRecord | null): Promise<CustomerRecord | null>;
  /** Begins to remove the customer, or goes on, and ends it. */
  erase(id: string): Promise<void>;
  /** Makes `from` a part of `into`; false when one of them is not what it was. */
  merge(from: CustomerRecord, into: CustomerRecord): Promise<boolean>;
  /** Ends merges and removals that a crash left half done. Returns how many there were. */
  finish(): Promise<number>;
}

/** base64url makes 16 characters of them. */
const ID_BYTES = 12;
const UNFINISHED = 100;

/** A customer of whom nothing is known yet. */
function newRecord(id: string, createdAt: number): CustomerRecord {
  const rest = { bannedAt: null, mergedInto: null, isMoved: false, erasingAt: null, version: 0 };
  return { id, trial: null, createdAt, ...rest };
}

/** People in the store. */
export function createCustomerRecords(deps: CustomerServiceDeps): CustomerRecords {
  const { customers, random, clock } = deps;
  const erasing = createErasing(deps);
  const merging = createMerging(deps, erasing);

  async function resolve(id: string): Promise<CustomerRecord | null> {
    for (let next = id; ; ) {
      const record = await customers.get(next);
      if (record === null) return null;
      if (record.erasingAt !== null) await erasing.finish(record);
      else if (record.mergedInto === null) return record;
      else if (record.isMoved) next = record.mergedInto;
      else await merging.finish(record);
    }
  }

  async function visit(visitor: Visitor): Promise<CustomerRecord> {
    for (;;) {
      const id = await customers.touch(visitor, `cus_${random.base64url(ID_BYTES)}`);
      const known = await resolve(id);
      if (known !== null) return known;
      const isMade = await customers.insert(newRecord(id, clock.now()));
      // Their data may have been removed in between: a customer without a handle is nobody.
      if ((await customers.handle(visitor))?.customerId === id) continue;
      if (isMade) await customers.remove(id);
    }
  }

  async function change(
    id: string,
    next: (record: CustomerRecord) => CustomerRecord | null,
  ): Promise<CustomerRecord | null> {
    for (;;) {
      const record = await resolve(id);
      const changed = record === null ? null : next(record);
      if (record === null || changed === null) return record;
      if (await customers.replace(changed)) return { ...changed, version: changed.version + 1 };
    }
  }

  return {
    visit,
    resolve,
    async shown(records) {
      const handles = await customers.handlesOf(records.map(({ id }) => id));
      return records.map(({ id, trial, bannedAt, createdAt }) => {
        const own = handles.filter(({ customerId }) => customerId === id);
        return { id, handles: own.map(({ customerId, ...handle }) => handle), trial, bannedAt, createdAt };
      });
    },
    change,
    async erase(id) {
      const record = await change(id, (found) => ({ ...found, erasingAt: clock.now() }));
      if (record !== null) await resolve(record.id);
    },
    merge: merging.merge,
    async finish() {
      const records = await customers.unfinished(UNFINISHED);
      for (const { id } of records) await resolve(id);
      return records.length;
    },
  };
}
