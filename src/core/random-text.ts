/** Randomness fit for secrets. */
export interface RandomText {
  /** So many random bytes as base64url text without padding. */
  base64url(bytes: number): string;
}
