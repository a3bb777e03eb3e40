import { KEY_PREFIX, lookupOfStart } from '../keys/key-text.ts';
import {
  type Customer,
  type CustomerRecord,
  type CustomerServiceDeps,
  PLATFORMS,
  type Trial,
  type Visitor,
} from './customer.ts';

const ID_BYTES = 12;
const PAGE = 100;
const FOUND_MAX = 20;

/** Records of customers. Each read first completes a merge or an erasure of the customer that a crash interrupted. */
export class CustomerRecords {
  readonly #deps: CustomerServiceDeps;

  constructor(deps: CustomerServiceDeps) {
    this.#deps = deps;
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

  /** The customer with this id, or the one it was merged into; null when it does not exist, or no longer does. */
  async resolve(id: string): Promise<CustomerRecord | null> {
    for (let next = id; ; ) {
      const record = await this.#deps.customers.get(next);
      if (record === null) return null;
      if (record.erasingAt !== null) await this.#finishErasure(record);
      else if (record.mergedInto === null) return record;
      else if (record.isMoved) next = record.mergedInto;
      else await this.#finishMerge(record);
    }
  }

  /** The customers that match a text (`CustomerService.find`), each once. */
  async find(text: string): Promise<readonly CustomerRecord[]> {
    const found = new Map<string, CustomerRecord>();
    for (const id of new Set(await this.#idsFor(text))) {
      const record = id === null || id === undefined ? null : await this.resolve(id);
      if (record !== null) found.set(record.id, record);
    }
    return [...found.values()];
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
      return [(await customers.handle({ platform, userId }))?.customerId];
    }
    const handles = await customers.handlesByName(text.replace(/^@/, ''), FOUND_MAX);
    return handles.map(({ customerId }) => customerId);
  }

  async shown(records: readonly CustomerRecord[]): Promise<readonly Customer[]> {
    const handles = await this.#deps.customers.handlesOf(records.map(({ id }) => id));
    return records.map(({ id, trial, bannedAt, createdAt }) => {
      const own = handles.filter(({ customerId }) => customerId === id);
      return { id, handles: own.map(({ customerId, ...handle }) => handle), trial, bannedAt, createdAt };
    });
  }

  async shownOne(record: CustomerRecord): Promise<Customer> {
    return (await this.shown([record]))[0] as Customer;
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

  /** Completes interrupted merges and erasures. Returns how many there were, at most 100. */
  async finish(): Promise<number> {
    const records = await this.#deps.customers.unfinished(PAGE);
    for (const { id } of records) await this.resolve(id);
    return records.length;
  }

  /**
   * Merges two customers. One write decides: `mergedInto`. The younger is merged into the older, so that concurrent merges
   * form no cycle. Trial, keys, follows, messages and handles come after it in this order; each step is repeatable. False when the younger was changed
   * meanwhile.
   */
  async merge(one: CustomerRecord, other: CustomerRecord): Promise<boolean> {
    const [into, from] = isOlder(one, other) ? [one, other] : [other, one];
    const merged = { ...from, mergedInto: into.id };
    if (!(await this.#deps.customers.replace(merged))) return false;
    await this.#finishMerge({ ...merged, version: merged.version + 1 });
    return true;
  }

  /** The steps after the deciding one, for a customer with `mergedInto`; continues after an interruption. */
  async #finishMerge(from: CustomerRecord): Promise<void> {
    const { customers, keys, followers, chat, clock } = this.#deps;
    let current: CustomerRecord | null = from;
    let target = from.mergedInto;
    while (current !== null && current.mergedInto !== null) {
      const into = await this.#rootOf(current);
      // The target was erased: `from` is a customer of its own again.
      if (into === null) return void (await customers.replace({ ...from, mergedInto: null }));
      if (!(await this.#combine(from, into))) continue;
      await keys.moveAll(current.id, into.id);
      await followers.join({ from: current.id, into: into.id, now: clock.now() });
      await chat.moveAll(`customer:${current.id}`, `customer:${into.id}`);
      await customers.moveHandles(current.id, into.id);
      target = into.id;
      // The target may have been merged itself meanwhile.
      current = await customers.get(into.id);
    }
    await customers.removeCodesOf(from.id);
    await customers.replace({ ...from, mergedInto: target, isMoved: true });
  }

  /** The customer at the end of the chain of merges; null when it was erased. */
  async #rootOf({ mergedInto }: CustomerRecord): Promise<CustomerRecord | null> {
    for (let id = mergedInto; id !== null; ) {
      const record = await this.#deps.customers.get(id);
      if (record === null) return null;
      if (record.erasingAt === null && record.mergedInto === null) return record;
      if (record.erasingAt !== null) await this.#finishErasure(record);
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
    return this.#deps.customers.replace({ ...into, trial: kept, bannedAt });
  }

  async #moveTrial(customerId: string, late: Trial, kept: Trial): Promise<void> {
    for (const { id, tier, trialEndsAt } of await this.#deps.keys.byCustomer(customerId)) {
      if (trialEndsAt !== late.endsAt) continue;
      await this.#deps.keys.moveTrial(id, late.endsAt, { tier, trialEndsAt: kept.endsAt });
    }
  }

  /**
   * Removes all data of a customer with `erasingAt`; continues after an interruption. The order makes it safe to stop
   * anywhere: keys are revoked first, marks are written before handles are removed, and the customer's own row, which shows that
   * work is left, is removed last.
   */
  async #finishErasure(record: CustomerRecord): Promise<void> {
    const { customers, keys } = this.#deps;
    const parts = await this.#partsOf(record);
    for (const { id } of parts) await this.#endKeys(id);
    await this.#forgetPerson(parts);
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

  async #partsOf(record: CustomerRecord): Promise<readonly CustomerRecord[]> {
    const parts = await this.#deps.customers.mergedInto(record.id);
    return [record, ...(await Promise.all(parts.map((part) => this.#partsOf(part)))).flat()];
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

  /** Remembers a trial by marks, and removes what other stores hold under the ids of the person. */
  async #forgetPerson(parts: readonly CustomerRecord[]): Promise<void> {
    const { customers, questions, keyMessages, markOf } = this.#deps;
    const handles = await customers.handlesOf(parts.map(({ id }) => id));
    const marks = await Promise.all(handles.map(markOf));
    const hadTrial = parts.some(({ trial }) => trial !== null) || (await customers.hasPastTrial(marks));
    if (hadTrial) await customers.addPastTrials(marks);
    await keyMessages.removeInChats(handles.map(({ chat }) => chat));
    for (const handle of handles) await questions.remove(handle);
  }

  /** A banned customer's ban and the ids of its handles are kept: erasing must not lift a ban. */
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

function newRecord(id: string, createdAt: number): CustomerRecord {
  const rest = { bannedAt: null, mergedInto: null, isMoved: false, erasingAt: null, version: 0 };
  return { id, trial: null, createdAt, ...rest };
}

function earlier(one: Trial | null, other: Trial | null): Trial | null {
  if (one === null || other === null) return other ?? one;
  return one.startedAt < other.startedAt ? one : other;
}

function isOlder(one: CustomerRecord, other: CustomerRecord): boolean {
  return one.createdAt === other.createdAt ? one.id < other.id : one.createdAt < other.createdAt;
}
