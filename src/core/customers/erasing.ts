import type { CustomerServiceDeps } from './customer-deps.ts';
import type { CustomerRecord } from './customer-store.ts';

/** Removes what there is of a customer. */
export interface Erasing {
  /** For a customer with `erasingAt`; from wherever it stopped before. */
  finish(record: CustomerRecord): Promise<void>;
}

type ErasingDeps = Pick<
  CustomerServiceDeps,
  'customers' | 'keys' | 'presets' | 'webhooks' | 'chat' | 'clock' | 'markOf'
>;

/**
 * The order makes it safe to stop anywhere: keys end first, the marks are there before the handles go, and the
 * customer's own row, which says that there is work left, goes last.
 */
export function createErasing(deps: ErasingDeps): Erasing {
  const { customers, keys, presets, webhooks, chat, clock, markOf } = deps;

  /** Those who became a part of the customer, and of them in turn. */
  async function partsOf(record: CustomerRecord): Promise<readonly CustomerRecord[]> {
    const parts = await customers.mergedInto(record.id);
    return [record, ...(await Promise.all(parts.map(partsOf))).flat()];
  }

  async function endKeys(customerId: string): Promise<void> {
    for (const { id } of await keys.byCustomer(customerId)) await keys.revoke(id, clock.now());
    const keyIds = await keys.idsOf(customerId);
    for (const keyId of keyIds) {
      for (const { id } of await webhooks.listByKey(keyId)) await webhooks.remove(keyId, id);
      for (const { id } of await presets.listByKey(keyId)) await presets.remove(keyId, id);
    }
    await chat.removeOf([`customer:${customerId}`, ...keyIds.map((keyId) => `key:${keyId}` as const)]);
  }

  async function rememberTrial(parts: readonly CustomerRecord[]): Promise<void> {
    const handles = await customers.handlesOf(parts.map(({ id }) => id));
    const marks = await Promise.all(handles.map(markOf));
    const hadTrial = parts.some(({ trial }) => trial !== null) || (await customers.hasPastTrial(marks));
    if (hadTrial) await customers.addPastTrials(marks);
  }

  return {
    async finish(record) {
      const parts = await partsOf(record);
      for (const { id } of parts) await endKeys(id);
      await rememberTrial(parts);
      for (const { id } of parts.toReversed()) {
        await keys.removeAll(id);
        await customers.removeCodesOf(id);
      }
      if (record.bannedAt !== null) return blank(record, parts);
      for (const { id } of parts.toReversed()) {
        await customers.removeHandles(id);
        await customers.remove(id);
      }
    },
  };

  /** Of who is banned only the ban stays, and whom it is for: removing one's data must not end it. */
  async function blank(record: CustomerRecord, parts: readonly CustomerRecord[]): Promise<void> {
    for (const { id } of parts) {
      await customers.moveHandles(id, record.id);
      if (id !== record.id) await customers.remove(id);
    }
    await customers.blankHandles(record.id);
    await customers.replace({ ...record, erasingAt: null });
  }
}
