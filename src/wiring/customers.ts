import pLimit from 'p-limit';
import { CustomerService } from '../core/accounts/customers/customer-service.ts';
import type { Hasher } from '../core/accounts/keys/key-text.ts';
import type { Clock } from '../core/base/time/clock.ts';
import type { Database } from '../core/database.ts';
import { createHandleMarks, secureRandom } from '../infra/secrets/key-crypto.ts';

export function wireCustomers(database: Database, clock: Clock, hasher: Hasher): CustomerService {
  // One at a time leaves a core to the API.
  const limit = pLimit(1);
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
    hasher: {
      hash: (secret) => limit(() => hasher.hash(secret)),
      verify: (hash, secret) => limit(() => hasher.verify(hash, secret)),
    },
    random: secureRandom,
    clock,
    purgeDeleted: () => database.purgeDeleted(),
    markOf: createHandleMarks(database.secrets, secureRandom),
  });
}
