import { hash, randomBytes } from 'node:crypto';
import type { RandomText } from '../../core/base/text/random-text.ts';

export const secureRandom: RandomText = {
  base64url: (bytes) => randomBytes(bytes).toString('base64url'),
};

/** SHA-256 of a key, the key of its cached verification. */
export function keyDigest(secret: string): string {
  return hash('sha256', secret, 'base64');
}
