/** A cryptographically secure random source. */
export interface RandomText {
  /** Random bytes as base64url without padding. */
  base64url(bytes: number): string;
}
