import type {
  CustomerRecord,
  CustomerServiceDeps,
  Visitor,
} from '../../src/core/accounts/customers/customer.ts';
import type { KeyRequest } from '../../src/core/accounts/customers/customer-keys.ts';
import { CustomerService } from '../../src/core/accounts/customers/customer-service.ts';
import type { Database } from '../../src/core/database.ts';
import { createHandleMarks, secureRandom } from '../../src/infra/secrets/key-crypto.ts';
import { createFakeClock, type FakeClock } from './clock.ts';
import { createCountingHasher } from './counting-hasher.ts';
import { START } from './rows.ts';

/** Customers over a database, with a clock that stands still and a hasher that costs nothing. */
export function openCustomerFixture(
  database: Database,
  change: Partial<CustomerServiceDeps> = {},
  clock: FakeClock = createFakeClock(START),
) {
  const service = new CustomerService({
    customers: database.customers,
    keys: database.keys,
    presets: database.presets,
    webhooks: database.webhooks,
    chat: database.chat,
    followers: database.followers,
    questions: database.questions,
    keyMessages: database.keyMessages,
    hasher: createCountingHasher(),
    random: secureRandom,
    clock,
    purgeDeleted: () => database.purgeDeleted(),
    markOf: createHandleMarks(database.secrets, secureRandom),
    ...change,
  });
  return {
    service,
    clock,
    /** A key, confirmed as shown; a test has no use for a refusal. */
    async give(request: KeyRequest) {
      const given = await service.keys.issue(request);
      if (!given.ok) throw new Error(given.reason);
      await service.keys.confirmShown(given.key.id, request.request);
      return given;
    },
  };
}

/** A stored customer; on Telegram with their own id by default. */
export function customerOf(id: string, given: Partial<CustomerRecord> = {}): CustomerRecord {
  return {
    id,
    ...visitorOf(id),
    isReachable: true,
    trial: null,
    bannedAt: null,
    createdAt: START,
    erasingAt: null,
    version: 0,
    ...given,
  };
}

/** Stores a customer in this state. */
export async function putCustomer(
  { customers }: Pick<Database, 'customers'>,
  record: CustomerRecord,
): Promise<void> {
  await customers.touch(record, record);
  await customers.replace({ ...record, version: 0 });
  if (!record.isReachable) await customers.markUnreachable(record.platform, record.userId);
}

/** A visitor, on Telegram by default. */
export function visitorOf(userId = '7', given: Partial<Visitor> = {}): Visitor {
  return { platform: 'telegram', userId, name: `Person${userId}`, chat: userId, ...given };
}
