import type { Customer, Trial, Visitor } from './customer.ts';
import type { CustomerServiceDeps } from './customer-service.ts';
import type { CustomerRecord } from './customer-store.ts';

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

/**
 * Merges two customers. One write decides: `mergedInto`. The younger is merged into the older, so that concurrent merges
 * form no cycle. Trial, keys and handles follow in this order; each step is repeatable.
 */
class Merging {
  readonly #customers: CustomerServiceDeps['customers'];
  readonly #keys: CustomerServiceDeps['keys'];
  readonly #erasing: Erasing;

  constructor({ customers, keys }: Pick<CustomerServiceDeps, 'customers' | 'keys'>, erasing: Erasing) {
    this.#customers = customers;
    this.#keys = keys;
    this.#erasing = erasing;
  }

  /** Writes the deciding step, then does the rest. False when the younger was changed meanwhile. */
  async merge(one: CustomerRecord, other: CustomerRecord): Promise<boolean> {
    const [into, from] = isOlder(one, other) ? [one, other] : [other, one];
    const merged = { ...from, mergedInto: into.id };
    if (!(await this.#customers.replace(merged))) return false;
    await this.finish({ ...merged, version: merged.version + 1 });
    return true;
  }

  /** The steps after the deciding one, for a customer with `mergedInto`; continues after an interruption. */
  async finish(from: CustomerRecord): Promise<void> {
    let current: CustomerRecord | null = from;
    let target = from.mergedInto;
    while (current !== null && current.mergedInto !== null) {
      const into = await this.#rootOf(current);
      // The target was erased: `from` is a customer of its own again.
      if (into === null) return void (await this.#customers.replace({ ...from, mergedInto: null }));
      if (!(await this.#combine(from, into))) continue;
      await this.#keys.moveAll(current.id, into.id);
      await this.#customers.moveHandles(current.id, into.id);
      target = into.id;
      // The target may have been merged itself meanwhile.
      current = await this.#customers.get(into.id);
    }
    await this.#customers.removeCodesOf(from.id);
    await this.#customers.replace({ ...from, mergedInto: target, isMoved: true });
  }

  /** The customer at the end of the chain of merges; null when it was erased. */
  async #rootOf({ mergedInto }: CustomerRecord): Promise<CustomerRecord | null> {
    for (let id = mergedInto; id !== null; ) {
      const record = await this.#customers.get(id);
      if (record === null) return null;
      if (record.erasingAt === null && record.mergedInto === null) return record;
      if (record.erasingAt !== null) await this.#erasing.finish(record);
      else id = record.mergedInto;
    }
    return null;
  }

  /** Both get the earlier trial and a ban of either. False when `into` was changed meanwhile. */
  async #combine(from: CustomerRecord, into: CustomerRecord): Promise<boolean> {
    const kept = earlier(from.trial, into.trial);
    if (kept !== null && from.trial !== null) await this.#moveTrial(from.id, from.trial, kept);
    if (kept !== null && into.trial !== null) await this.#moveTrial(into.id, into.trial, kept);
    const bannedAt = into.bannedAt ?? from.bannedAt;
    if (kept === into.trial && bannedAt === into.bannedAt) return true;
    return this.#customers.replace({ ...into, trial: kept, bannedAt });
  }

  async #moveTrial(customerId: string, late: Trial, kept: Trial): Promise<void> {
    for (const { id, tier, trialEndsAt } of await this.#keys.byCustomer(customerId)) {
      if (trialEndsAt !== late.endsAt) continue;
      await this.#keys.moveTrial(id, late.endsAt, { tier, trialEndsAt: kept.endsAt });
    }
  }
}

function earlier(one: Trial | null, other: Trial | null): Trial | null {
  if (one === null || other === null) return other ?? one;
  return one.startedAt < other.startedAt ? one : other;
}

function isOlder(one: CustomerRecord, other: CustomerRecord): boolean {
  return one.createdAt === other.createdAt ? one.id < other.id : one.createdAt < other.createdAt;
}

type Deps = Pick<
  CustomerServiceDeps,
  'customers' | 'keys' | 'presets' | 'webhooks' | 'chat' | 'clock' | 'markOf'
>;

/**
 * Removes all data of a customer. The order makes it safe to stop anywhere: keys are revoked first, the marks are written
 * before the handles are removed, and the customer's own row, which says that work is left, is removed last.
 */
class Erasing {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** For a customer with `erasingAt`; continues after an interruption. */
  async finish(record: CustomerRecord): Promise<void> {
    const { customers, keys } = this.#deps;
    const parts = await this.#partsOf(record);
    for (const { id } of parts) await this.#endKeys(id);
    await this.#rememberTrial(parts);
    for (const { id } of parts.toReversed()) {
      await keys.removeAll(id);
      await customers.removeCodesOf(id);
    }
    if (record.bannedAt !== null) return this.#blank(record, parts);
    for (const { id } of parts.toReversed()) {
      await customers.removeHandles(id);
      await customers.remove(id);
    }
  }

  /** The customer and all that were merged into it, directly or not. */
  async #partsOf(record: CustomerRecord): Promise<readonly CustomerRecord[]> {
    const parts = await this.#deps.customers.mergedInto(record.id);
    return [record, ...(await Promise.all(parts.map((part) => this.#partsOf(part)))).flat()];
  }

  async #endKeys(customerId: string): Promise<void> {
    const { keys, webhooks, presets, chat, clock } = this.#deps;
    for (const { id } of await keys.byCustomer(customerId)) await keys.revoke(id, clock.now());
    const keyIds = await keys.idsOf(customerId);
    for (const keyId of keyIds) {
      for (const { id } of await webhooks.listByKey(keyId)) await webhooks.remove(keyId, id);
      for (const { id } of await presets.listByKey(keyId)) await presets.remove(keyId, id);
    }
    await chat.removeOf([`customer:${customerId}`, ...keyIds.map((keyId) => `key:${keyId}` as const)]);
  }

  async #rememberTrial(parts: readonly CustomerRecord[]): Promise<void> {
    const { customers, markOf } = this.#deps;
    const handles = await customers.handlesOf(parts.map(({ id }) => id));
    const marks = await Promise.all(handles.map(markOf));
    const hadTrial = parts.some(({ trial }) => trial !== null) || (await customers.hasPastTrial(marks));
    if (hadTrial) await customers.addPastTrials(marks);
  }

  /** Of a banned customer the ban and the ids of its handles stay: erasing must not lift a ban. */
  async #blank(record: CustomerRecord, parts: readonly CustomerRecord[]): Promise<void> {
    const { customers } = this.#deps;
    for (const { id } of parts) {
      await customers.moveHandles(id, record.id);
      if (id !== record.id) await customers.remove(id);
    }
    await customers.blankHandles(record.id);
    await customers.replace({ ...record, erasingAt: null });
  }
}
