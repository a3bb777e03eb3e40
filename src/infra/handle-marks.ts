import { createHmac } from 'node:crypto';
import type { HandleId } from '../core/customers/customer-store.ts';
import type { SecretStore } from '../core/operations/secret-store.ts';
import type { RandomText } from '../core/random-text.ts';

const NAME = 'PAST_TRIALS';
const SALT_BYTES = 32;

/**
 * The salted hash of a person's id that outlives their data. The salt is made once and kept in the database, apart from
 * SECRET_KEY: that one may be changed, and who had a trial must be known all the same.
 */
export function createHandleMarks({
  secrets,
  random,
}: {
  readonly secrets: SecretStore;
  readonly random: RandomText;
}): (handle: HandleId) => Promise<string> {
  let salt: string | null = null;
  return async ({ platform, userId }) => {
    salt ??= await secrets.getOrCreate(NAME, random.base64url(SALT_BYTES));
    return createHmac('sha256', salt).update(`${platform}:${userId}`).digest('base64url');
  };
}
