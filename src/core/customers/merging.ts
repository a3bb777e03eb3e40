import type { Trial } from './customer.ts';
import type { CustomerServiceDeps } from './customer-deps.ts';
import type { CustomerRecord } from './customer-store.ts';
import type { Erasing } from './erasing.ts';

/** Makes two customers one. */
export interface Merging {
  /** The first step, which decides; then the rest. False when `from` is not what it was. */
  merge(from: CustomerRecord, into: CustomerRecord): Promise<boolean>;
  /** The rest, for a customer with `mergedInto`; from wherever it stopped before. */
  finish(from: CustomerRecord): Promise<void>;
}

type MergingDeps = Pick<CustomerServiceDeps, 'customers' | 'keys'>;

/**
 * One write decides: `mergedInto`. The younger one becomes a part of the older, so that no two merges make a circle.
 * Trial, keys and handles follow, in this order, each step so that it may be repeated.
 */
export function createMerging({ customers, keys }: MergingDeps, erasing: Erasing): Merging {
  /** Where a merged customer belongs by now; null when that one is gone. */
  async function rootOf({ mergedInto }: CustomerRecord): Promise<CustomerRecord | null> {
    for (let id = mergedInto; id !== null; ) {
      const record = await customers.get(id);
      if (record === null) return null;
      if (record.erasingAt === null && record.mergedInto === null) return record;
      if (record.erasingAt !== null) await erasing.finish(record);
      else id = record.mergedInto;
    }
    return null;
  }

  async function shorten(customerId: string, late: Trial, kept: Trial): Promise<void> {
    for (const { id, tier, trialEndsAt } of await keys.byCustomer(customerId)) {
      if (trialEndsAt !== late.endsAt) continue;
      await keys.moveTrial(id, late.endsAt, { tier, trialEndsAt: kept.endsAt });
    }
  }

  /** The earlier trial becomes that of both, and so does a ban. False when `into` changed meanwhile. */
  async function fold(from: CustomerRecord, into: CustomerRecord): Promise<boolean> {
    const kept = earlier(from.trial, into.trial);
    if (kept !== null && from.trial !== null) await shorten(from.id, from.trial, kept);
    if (kept !== null && into.trial !== null) await shorten(into.id, into.trial, kept);
    const bannedAt = into.bannedAt ?? from.bannedAt;
    if (kept === into.trial && bannedAt === into.bannedAt) return true;
    return customers.replace({ ...into, trial: kept, bannedAt });
  }

  async function finish(from: CustomerRecord): Promise<void> {
    let place: CustomerRecord | null = from;
    let target = from.mergedInto;
    while (place !== null && place.mergedInto !== null) {
      const into = await rootOf(place);
      // Whom it was to be a part of has left: it is one of its own again.
      if (into === null) return void (await customers.replace({ ...from, mergedInto: null }));
      if (!(await fold(from, into))) continue;
      await keys.moveAll(place.id, into.id);
      await customers.moveHandles(place.id, into.id);
      target = into.id;
      // It may have become a part of another while things were moved to it.
      place = await customers.get(into.id);
    }
    await customers.removeCodesOf(from.id);
    await customers.replace({ ...from, mergedInto: target, isMoved: true });
  }

  return {
    async merge(one, other) {
      const [into, from] = isOlder(one, other) ? [one, other] : [other, one];
      const merged = { ...from, mergedInto: into.id };
      if (!(await customers.replace(merged))) return false;
      await finish({ ...merged, version: merged.version + 1 });
      return true;
    },
    finish,
  };
}

function earlier(one: Trial | null, other: Trial | null): Trial | null {
  if (one === null || other === null) return other ?? one;
  return one.startedAt < other.startedAt ? one : other;
}

function isOlder(one: CustomerRecord, other: CustomerRecord): boolean {
  return one.createdAt === other.createdAt ? one.id < other.id : one.createdAt < other.createdAt;
}
