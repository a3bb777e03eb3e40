/** Slow hashing of whole keys (argon2id outside of tests). */
export interface Hasher {
  /** PHC text with its own salt. */
  hash(secret: string): Promise<string>;
  /** Throws when `hash` is no PHC text. */
  verify(hash: string, secret: string): Promise<boolean>;
}
