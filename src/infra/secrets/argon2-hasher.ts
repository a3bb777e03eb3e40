import { argon2id, type HashOptions, hash, verify } from 'argon2';
import type { Hasher } from '../../core/accounts/keys/key-text.ts';

/** 19 MiB, two passes, parallelism 1: about 20 ms of one core per key. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export const argon2Hasher: Hasher = createArgon2Hasher(COST);

/** `cost`: lower than the default for tests that hash many keys. */
export function createArgon2Hasher(
  cost: Pick<HashOptions, 'memoryCost' | 'timeCost' | 'parallelism'>,
): Hasher {
  return {
    hash: (secret) => hash(secret, { type: argon2id, ...cost }),
    verify: (known, secret) => verify(known, secret),
  };
}
