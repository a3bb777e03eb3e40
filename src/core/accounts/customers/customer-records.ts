import { KEY_PREFIX, lookupOfStart } from '../keys/key-text.ts';
import { type CustomerRecord, type CustomerServiceDeps, PLATFORMS, type Visitor } from './customer.ts';

const ID_BYTES = 12;
const PAGE = 100;
const FOUND_MAX = 20;

/** Records of customers. Each read first completes an erasure of the customer that a crash interrupted. */
export class CustomerRecords {
  readonly #deps: CustomerServiceDeps;

  constructor(deps: CustomerServiceDeps) {
    this.#deps = deps;
  }

  /** The customer of a visitor, created when the visitor is new. */
  async visit(visitor: Visitor): Promise<CustomerRecord> {
    const { customers, random, clock } = this.#deps;
    for (;;) {
      const candidate = { id: `cus_${random.base64url(ID_BYTES)}`, createdAt: clock.now() };
      // Null: the visitor's data was being erased.
      const record = await this.resolve(await customers.touch(visitor, candidate));
      if (record !== null) return record;
    }
  }

  /** The customer with this id; null when it does not exist, or no longer does. */
  async resolve(id: string): Promise<CustomerRecord | null> {
    for (;;) {
      const record = await this.#deps.customers.get(id);
      if (record === null || record.erasingAt === null) return record;
      await this.#finishErasure(record);
    }
  }

  /** The customers that match a text (`CustomerService.find`), each once. */
  async find(text: string): Promise<readonly CustomerRecord[]> {
    const found: CustomerRecord[] = [];
    for (const id of await this.#idsFor(text)) {
      const record = id === null || id === undefined ? null : await this.resolve(id);
      if (record !== null) found.push(record);
    }
    return found;
  }

  async #idsFor(text: string): Promise<readonly (string | null | undefined)[]> {
    const { customers, keys } = this.#deps;
    if (text.startsWith('cus_')) return [text];
    if (text.startsWith('key_')) return [(await keys.byId(text))?.customerId];
    if (text.startsWith(KEY_PREFIX)) {
      const lookup = lookupOfStart(text);
      return lookup === null ? [] : [(await keys.byLookup(lookup))?.customerId];
    }
    const platform = PLATFORMS.find((name) => text.startsWith(`${name}:`));
    if (platform !== undefined) {
      const userId = text.slice(platform.length + 1);
      return [(await customers.byPerson({ platform, userId }))?.id];
    }
    const named = await customers.byName(text.replace(/^@/, ''), FOUND_MAX);
    return named.map(({ id }) => id);
  }

  /** Replaces the current record with the result of `next`, which returns null for no change. Null without such a customer. */
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

  async erase(id: string): Promise<void> {
    const erasingAt = this.#deps.clock.now();
    const record = await this.change(id, (found) => ({ ...found, erasingAt }));
    if (record !== null) await this.resolve(record.id);
  }

  /** Completes interrupted erasures. Returns how many there were, at most 100. */
  async finish(): Promise<number> {
    const records = await this.#deps.customers.erasing(PAGE);
    for (const { id } of records) await this.resolve(id);
    return records.length;
  }

  /**
   * Removes all data of a customer with `erasingAt`; continues after an interruption. The order makes it safe to stop
   * anywhere: keys are revoked first, the mark of a trial is written before the keys are removed, and the customer's own row,
   * which shows that work is left, is removed last. A banned customer's ban and user id are kept: erasing must not lift a ban.
   */
  async #finishErasure(record: CustomerRecord): Promise<void> {
    const { customers, keys, questions, keyMessages } = this.#deps;
    await this.#endKeys(record.id);
    await this.#rememberTrial(record);
    await keyMessages.removeInChats([record.chat]);
    await questions.remove(record);
    await keys.removeAll(record.id);
    if (record.bannedAt === null) return customers.remove(record.id);
    await customers.blank(record.id);
    await customers.replace({ ...record, erasingAt: null });
  }

  async #endKeys(customerId: string): Promise<void> {
    const { keys, webhooks, presets, chat, followers, clock } = this.#deps;
    for (const { id } of await keys.byCustomer(customerId)) await keys.revoke(id, clock.now());
    const keyIds = await keys.idsOf(customerId);
    for (const keyId of keyIds) {
      for (const { id } of await webhooks.listByKey(keyId)) await webhooks.remove(keyId, id);
      for (const { id } of await presets.listByKey(keyId)) await presets.remove(keyId, id);
    }
    await followers.remove(customerId);
    await chat.removeOf([`customer:${customerId}`, ...keyIds.map((keyId) => `key:${keyId}` as const)]);
  }

  async #rememberTrial(record: CustomerRecord): Promise<void> {
    const { customers, markOf } = this.#deps;
    if (record.trial !== null) await customers.addPastTrial(await markOf(record));
  }
}
