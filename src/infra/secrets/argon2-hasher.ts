import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { Hasher } from '../../core/accounts/keys/key-text.ts';

type Cost = Pick<Argon2Parameters, 'memory' | 'passes' | 'parallelism'>;

/** 19 MiB, two passes, parallelism 1: about 20 ms of one core per key. */
const COST: Cost = { memory: 19_456, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const TAG_BYTES = 32;
/** The PHC format of argon2id, version 1.3, with its parameters in any order. */
const PHC = /^\$argon2id\$v=19\$([mtp=\d,]+)\$([\w+/]+)\$([\w+/]+)$/;

const run = promisify(argon2);

export const argon2Hasher: Hasher = createArgon2Hasher(COST);

/** `cost`: lower than the default for tests that hash many keys. */
export function createArgon2Hasher(cost: Cost): Hasher {
  const { memory, passes, parallelism } = cost;
  return {
    async hash(secret) {
      const nonce = randomBytes(SALT_BYTES);
      const tag = await run('argon2id', { ...cost, message: secret, nonce, tagLength: TAG_BYTES });
      const terms = `m=${memory},t=${passes},p=${parallelism}`;
      return `$argon2id$v=19$${terms}$${base64(nonce)}$${base64(tag)}`;
    },
    /** By the cost that the hash names. Throws for what is not a hash of argon2id. */
    async verify(known, secret) {
      const [, terms = '', salt = '', hash = ''] = PHC.exec(known) ?? [];
      if (hash === '') throw new Error('not a hash of argon2id');
      const given = new URLSearchParams(terms.replaceAll(',', '&'));
      const [m, t, p] = ['m', 't', 'p'].map((name) => Number(given.get(name)));
      const expected = Buffer.from(hash, 'base64');
      const tag = await run('argon2id', {
        message: secret,
        nonce: Buffer.from(salt, 'base64'),
        ...{ memory: m ?? 0, passes: t ?? 0, parallelism: p ?? 0 },
        tagLength: expected.length,
      });
      return timingSafeEqual(tag, expected);
    },
  };
}

/** Without padding, as PHC has it. */
function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
