import { CustomerService } from '../core/accounts/customers/customer-service.ts';
import { type Hasher, limitedHasher } from '../core/accounts/keys/key-text.ts';
import type { Clock } from '../core/base/time/clock.ts';
import type { Database } from '../core/database.ts';
import { createHandleMarks, secureRandom } from '../infra/secrets/key-crypto.ts';

/** One hash at a time leaves a core to the API; at 20 ms each the last of a full line waits 40 s. */
const HASHES = { concurrency: 1, waiting: 2_000 };

export function wireCustomers(database: Database, clock: Clock, hasher: Hasher): CustomerService {
  const { customers, keys, presets, webhooks, chat, questions, keyMessages, followers } = database;
  return new CustomerService({
    customers,
    keys,
    presets,
    webhooks,
    chat,
    followers,
    questions,
    keyMessages,
    hasher: limitedHasher(hasher, HASHES),
    random: secureRandom,
    clock,
    purgeDeleted: () => database.purgeDeleted(),
    markOf: createHandleMarks(database.secrets, secureRandom),
  });
}
