import { argon2id, type HashOptions, hash, verify } from 'argon2';
import type { Hasher } from '../core/keys/hasher.ts';

/** 19 MiB, two passes, one lane: about 20 ms of one core a key. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export const argon2Hasher: Hasher = createArgon2Hasher(COST);

/** `cost`: other than the service's for what hashes keys by the hundred and guards nothing. */
export function createArgon2Hasher(
  cost: Pick<HashOptions, 'memoryCost' | 'timeCost' | 'parallelism'>,
): Hasher {
  return {
    hash: (secret) => hash(secret, { type: argon2id, ...cost }),
    verify: (known, secret) => verify(known, secret),
  };
}
