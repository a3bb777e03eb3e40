import { hashFor } from '../keys/api-key.ts';
import { KEY_PREFIX, lookupOf, lookupOfStart } from '../keys/key-text.ts';
import { PLATFORMS } from './customer.ts';
import type { CustomerRecords } from './customer-records.ts';
import type { CustomerService, CustomerServiceDeps } from './customer-service.ts';
import type { CustomerRecord } from './customer-store.ts';

const FOUND_MAX = 20;

/** Finds customers by id, key, handle or name, and the owner of a leaked key. */
export function createFinding(
  { customers, keys, hasher, clock }: Pick<CustomerServiceDeps, 'customers' | 'keys' | 'hasher' | 'clock'>,
  records: CustomerRecords,
): Pick<CustomerService, 'find' | 'ownerOfSecret'> {
  /** Ids of customers, which may be merged ones. */
  async function idsFor(text: string): Promise<readonly (string | null | undefined)[]> {
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

  return {
    async find(text) {
      const found = new Map<string, CustomerRecord>();
      for (const id of new Set(await idsFor(text.trim()))) {
        const record = id === null || id === undefined ? null : await records.resolve(id);
        if (record !== null) found.set(record.id, record);
      }
      return records.shown([...found.values()]);
    },
    async ownerOfSecret(secret) {
      const lookup = lookupOf(secret);
      const key = lookup === null ? null : await keys.byLookup(lookup);
      if (lookup === null || key === null || key.revokedAt !== null) return null;
      const hash = hashFor(key, lookup, clock.now());
      if (hash === null || !(await hasher.verify(hash, secret))) return null;
      const record = key.customerId === null ? null : await records.resolve(key.customerId);
      const [customer = null] = record === null ? [] : await records.shown([record]);
      return { key, customer };
    },
  };
}
