/** Slow hashing of whole keys (argon2id outside of tests). */
export interface Hasher {
  /** A PHC string with its own salt. */
  hash(secret: string): Promise<string>;
  /** Throws if `hash` is not a PHC string. */
  verify(hash: string, secret: string): Promise<boolean>;
}
