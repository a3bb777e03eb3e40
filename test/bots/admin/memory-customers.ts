import type { ConsoleDeps } from '../../../bots/admin/console-deps.ts';
import type { Clock } from '../../../src/core/clock.ts';
import type { Customer } from '../../../src/core/customers/customer.ts';
import { DAY_MS } from '../../../src/core/duration.ts';
import { createKeyService } from '../../../src/core/keys/key-service.ts';
import type { KeyStore } from '../../../src/core/ports/key-store.ts';
import { secureRandom } from '../../../src/infra/key-crypto.ts';
import { createCountingHasher } from '../../support/counting-hasher.ts';
import { START } from '../../support/rows.ts';

export function customerOf(given: Partial<Customer> & { id: string }): Customer {
  return { handles: [], trial: null, bannedAt: null, createdAt: START, ...given };
}

/** As many customers as a test names, with keys in a real store. */
export function createMemoryCustomers(keys: KeyStore, clock: Clock) {
  const rows = new Map<string, Customer>();
  const service = createKeyService({ keys, clock, hasher: createCountingHasher(), random: secureRandom });
  const change = (id: string, part: Partial<Customer>) => {
    const found = rows.get(id);
    if (found !== undefined) rows.set(id, { ...found, ...part });
    return found !== undefined;
  };
  const customers: ConsoleDeps['customers'] = {
    byId: async (id) => rows.get(id) ?? null,
    find: async (text) =>
      [...rows.values()].filter(
        ({ id, handles }) =>
          id === text ||
          handles.some(({ platform, userId, name }) =>
            [`${platform}:${userId}`, name, `@${name}`].includes(text),
          ),
      ),
    keysOf: async (id) =>
      (await keys.list()).filter(({ customerId, revokedAt }) => customerId === id && revokedAt === null),
    ban: async (id) => change(id, { bannedAt: clock.now() }),
    unban: async (id) => change(id, { bannedAt: null }),
    async extendTrial(id, days) {
      const found = rows.get(id);
      if (found === undefined) return 'unknown_customer';
      if (found.trial === null) return 'no_trial';
      const endsAt = Math.max(found.trial.endsAt, clock.now()) + days * DAY_MS;
      change(id, { trial: { ...found.trial, endsAt } });
      return rows.get(id) as Customer;
    },
    async setTier(id, tier) {
      const result = await service.setTier(id, tier);
      return result.ok ? result.key : result.reason;
    },
    async provision({ customerId, name, limits }) {
      const issued = await service.issue({ tier: 'enterprise', name });
      if (!issued.ok) return { ok: false, reason: 'bad_name' };
      const key = {
        ...issued.key,
        id: `${issued.key.id}x`.slice(-20),
        lookup: 'provisionA',
        customerId,
        limits,
      };
      await keys.insert(key);
      return { ok: true, key, secret: issued.secret };
    },
    count: async (since) => ({
      total: rows.size,
      new: [...rows.values()].filter(({ createdAt }) => createdAt >= since).length,
    }),
  };
  return { customers, add: (customer: Customer) => rows.set(customer.id, customer) };
}
