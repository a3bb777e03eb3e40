import { createHmac, hash, randomBytes } from 'node:crypto';
import type { HandleId } from '../../core/accounts/customers/customer.ts';
import type { RandomText } from '../../core/base/random.ts';
import type { Secrets } from '../../core/operations/secret-store.ts';

export const secureRandom: RandomText = {
  base64url: (bytes) => randomBytes(bytes).toString('base64url'),
};

const NAME = 'PAST_TRIALS';
const SALT_BYTES = 32;

/** A salted hash of a person's id that outlives their data; the salt does not change with SECRET_KEY. */
export function createHandleMarks(
  secrets: Secrets,
  random: RandomText,
): (handle: HandleId) => Promise<string> {
  let salt: string | null = null;
  return async ({ platform, userId }) => {
    salt ??= await secrets.getOrCreate(NAME, random.base64url(SALT_BYTES));
    return createHmac('sha256', salt).update(`${platform}:${userId}`).digest('base64url');
  };
}

export function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}
