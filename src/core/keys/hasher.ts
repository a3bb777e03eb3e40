/** Slow hashing of whole keys (argon2id outside of tests). */
export interface Hasher {
  /** PHC text with its own salt. */
  hash(secret: string): Promise<string>;
  /** Throws when `hash` is no PHC text. */
  verify(hash: string, secret: string): Promise<boolean>;
}

/** Randomness fit for secrets. */
export interface RandomText {
  /** So many random bytes as base64url text without padding. */
  base64url(bytes: number): string;
}
