import { argon2id, hash, verify } from 'argon2';
import type { Hasher } from '../core/keys/hasher.ts';

/** 19 MiB, two passes, one lane: about 20 ms of one core a key. */
const COST = { type: argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export const argon2Hasher: Hasher = {
  hash: (secret) => hash(secret, COST),
  verify: (known, secret) => verify(known, secret),
};
