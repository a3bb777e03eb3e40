import type { CustomerServiceDeps } from './customer-deps.ts';
import type { CustomerRecord } from './customer-store.ts';

type Deps = Pick<
  CustomerServiceDeps,
  'customers' | 'keys' | 'presets' | 'webhooks' | 'chat' | 'clock' | 'markOf'
>;

/**
 * Removes all data of a customer. The order makes it safe to stop anywhere: keys are revoked first, the marks are written
 * before the handles are removed, and the customer's own row, which says that work is left, is removed last.
 */
export class Erasing {
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
