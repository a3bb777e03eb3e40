import type { Trial } from './customer.ts';
import type { CustomerServiceDeps } from './customer-deps.ts';
import type { CustomerRecord } from './customer-store.ts';
import type { Erasing } from './erasing.ts';

/**
 * Merges two customers. One write decides: `mergedInto`. The younger is merged into the older, so that concurrent merges
 * form no cycle. Trial, keys and handles follow in this order; each step is repeatable.
 */
export class Merging {
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
